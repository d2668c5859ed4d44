import { Module } from '@nestjs/common';
import { BuildQueue } from './build-queue.js';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService, LookupMetrics } from './iplookup.service.js';
import { LookupSyncService } from './lookup-sync.service.js';
import { SyncMetrics } from './sync-metrics.js';

/** `/iplookup*` */
@Module({
  controllers: [IplookupController],
  providers: [BuildQueue, IplookupService, LookupMetrics, LookupSyncService, SyncMetrics],
})
export class IplookupModule {}
