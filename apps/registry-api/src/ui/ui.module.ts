import { type DynamicModule, Module } from '@nestjs/common';
import { UiController } from './ui.controller.js';
import { UiFiles } from './ui-files.js';
import { UiPage } from './ui-page.js';
import type { UiSettings } from './ui-settings.js';

/** The admin web UI under /ui. */
@Module({})
export class UiModule {
  /** @param folder the built UI */
  static register(folder: string, settings: UiSettings): DynamicModule {
    const files = new UiFiles(folder);
    return {
      module: UiModule,
      controllers: [UiController],
      providers: [
        { provide: UiFiles, useValue: files },
        { provide: UiPage, useFactory: () => new UiPage(files, settings) },
      ],
    };
  }
}
