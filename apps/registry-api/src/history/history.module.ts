import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

/** What became of each Client. */
@Module({ imports: [ClientsModule], controllers: [HistoryController], providers: [HistoryService] })
export class HistoryModule {}
