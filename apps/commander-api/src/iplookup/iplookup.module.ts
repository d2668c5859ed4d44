import { Module } from '@nestjs/common';
import { BuildQueue } from './build-queue.js';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService } from './iplookup.service.js';
import { LookupMetrics } from './lookup-metrics.js';
import { LookupSyncService } from './lookup-sync.service.js';
import { SyncMetrics } from './sync-metrics.js';
import { VersionsController } from './versions.controller.js';

/** `/iplookup*` */
@Module({
  controllers: [VersionsController, IplookupController],
  providers: [BuildQueue, IplookupService, LookupMetrics, LookupSyncService, SyncMetrics],
})
export class IplookupModule {}
