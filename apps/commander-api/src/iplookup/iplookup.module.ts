import { Module } from '@nestjs/common';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService } from './iplookup.service.js';
import { LookupBuilds } from './lookup-builds.js';

/** `/iplookup*` */
@Module({ controllers: [IplookupController], providers: [IplookupService, LookupBuilds] })
export class IplookupModule {}
