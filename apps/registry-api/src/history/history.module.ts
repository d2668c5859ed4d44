import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';
import { VersionReader } from './version-reader.js';

/** The history of each client. */
@Module({
  imports: [ClientsModule],
  controllers: [HistoryController],
  providers: [HistoryService, VersionReader],
})
export class HistoryModule {}
