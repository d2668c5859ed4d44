import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { UsageKeeper } from './usage-keeper.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';
import { UsageStore } from './usage.store.js';

/** How Clients are used. */
@Module({
  imports: [ClientsModule],
  controllers: [UsageController],
  providers: [UsageStore, UsageRecorder, UsageService, UsageKeeper],
  exports: [UsageRecorder],
})
export class UsageModule {}
