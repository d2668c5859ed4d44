import { Module } from '@nestjs/common';
import { IplookupController } from './iplookup.controller.js';
import { IplookupService } from './iplookup.service.js';

/** `/iplookup*` */
@Module({ controllers: [IplookupController], providers: [IplookupService] })
export class IplookupModule {}
