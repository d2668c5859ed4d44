import { Module } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { ClientsModule } from '../clients/clients.module.js';
import { BulkPlaces } from './bulk-places.js';
import { BulkPlanner } from './bulk-planner.js';
import { BulkController } from './bulk.controller.js';
import { BulkService } from './bulk.service.js';

/** Changes of many Clients in one request. */
@Module({
  imports: [ClientsModule],
  controllers: [BulkController],
  providers: [BulkService, BulkPlanner, BulkPlaces],
  exports: [BulkService],
})
export class BulkModule {}

const BULK_LIMIT = 16 * 1024 * 1024;

/** Allows larger bodies for bulk requests. Call it before routes are registered. */
export function raiseBulkLimit(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/clients/bulk') route.bodyLimit = BULK_LIMIT;
  });
}
