import { Module } from '@nestjs/common';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService, LookupMetrics } from './iplookup.service.js';

/** `/iplookup*` */
@Module({ controllers: [IplookupController], providers: [IplookupService, LookupMetrics] })
export class IplookupModule {}
