import { type DynamicModule, Module } from '@nestjs/common';
import type { CommanderConfig } from './commander-config.js';

/** Nest's injection token for the {@link CommanderConfig}. */
export const COMMANDER_CONFIG = Symbol('CommanderConfig');

/** Hands the configuration to every module. */
@Module({})
export class ConfigModule {
  static register(config: CommanderConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: COMMANDER_CONFIG, useValue: config }],
      exports: [COMMANDER_CONFIG],
    };
  }
}
