import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { IdempotentClientsService } from '../idempotency/idempotent-clients.service.js';
import { ChangePlanner } from './change-planner.js';
import { ClientStore } from './client.store.js';
import { ClientStateController } from './client-state.controller.js';
import { ClientsController } from './clients.controller.js';
import { ClientsService } from './clients.service.js';

/** Clients: register, read, change, delete. */
@Module({
  imports: [ChangesModule],
  controllers: [ClientsController, ClientStateController],
  providers: [ClientsService, ClientStore, ChangePlanner, IdempotentClientsService],
  exports: [ClientsService, ClientStore, ChangePlanner],
})
export class ClientsModule {}
