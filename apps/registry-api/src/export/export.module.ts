import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { ClientListModule } from '../clients/list/client-list.module.js';
import { ExportController } from './export.controller.js';
import { ExportService } from './export.service.js';

@Module({
  imports: [ChangesModule, ClientListModule],
  controllers: [ExportController],
  providers: [ExportService],
})
export class ExportModule {}
