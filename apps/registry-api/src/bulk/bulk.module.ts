import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { BulkPlanner } from './bulk-planner.js';
import { BulkController } from './bulk.controller.js';
import { IdempotentBulkService } from './idempotent-bulk.service.js';
import { BulkService } from './bulk.service.js';

/** Many Clients changed at once. */
@Module({
  imports: [ClientsModule],
  controllers: [BulkController],
  providers: [BulkService, BulkPlanner, IdempotentBulkService],
})
export class BulkModule {}
