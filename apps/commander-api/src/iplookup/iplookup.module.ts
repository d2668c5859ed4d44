import { Module } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { AnnouncementService } from './announce/announcement.service.js';
import { BuildQueue } from './build/build-queue.js';
import { describeParameters } from './build/parameter.js';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService } from './iplookup.service.js';
import { LookupGate } from './files/allowed-lookup.js';
import { LookupMetrics } from './lookup-metrics.js';
import { LookupReadsService } from './read/lookup-reads.service.js';
import { LookupSyncService } from './sync/lookup-sync.service.js';
import { ReadsController } from './read/reads.controller.js';
import { SyncMetrics } from './sync/sync-metrics.js';
import { SyncOutcomes } from './sync/sync-outcomes.js';
import { VersionsController } from './versions.controller.js';

// Controllers, which import all parameters, are loaded by now.
describeParameters(ApiPropertyOptional);

/** `/iplookup*` */
@Module({
  controllers: [VersionsController, IplookupController, ReadsController],
  providers: [
    AnnouncementService,
    BuildQueue,
    IplookupService,
    LookupGate,
    LookupMetrics,
    LookupReadsService,
    LookupSyncService,
    SyncMetrics,
    SyncOutcomes,
  ],
})
export class IplookupModule {}
