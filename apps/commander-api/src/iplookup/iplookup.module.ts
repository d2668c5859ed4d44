import { Module } from '@nestjs/common';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService } from './iplookup.service.js';
import { LookupMetrics } from './lookup-metrics.js';

/** `/iplookup*` */
@Module({ controllers: [IplookupController], providers: [IplookupService, LookupMetrics] })
export class IplookupModule {}
