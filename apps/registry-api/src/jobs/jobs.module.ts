import { Module } from '@nestjs/common';
import { BulkModule } from '../bulk/bulk.module.js';
import { ClientListModule } from '../clients/list/client-list.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { DeletedClientsModule } from '../deleted-clients/deleted-clients.module.js';
import { JobCollector } from './job-collector.js';
import { JobPlanner } from './job-planner.js';
import { JobPruner } from './job-pruner.js';
import { JobRunner } from './job-runner.js';
import { JobWorker } from './job-worker.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';

/** Changes of all Clients that match a filter, in the background. */
@Module({
  imports: [BulkModule, ClientListModule, ClientsModule, DeletedClientsModule],
  controllers: [JobsController],
  providers: [JobsService, JobWorker, JobCollector, JobRunner, JobPlanner, JobPruner],
})
export class JobsModule {}
