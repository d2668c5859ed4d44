import { Module } from '@nestjs/common';
import { IdempotentClientsService } from './idempotent-clients.service.js';
import { ChangePlanner } from './change-planner.js';
import { ChangeSignal } from './change-signal.js';
import { ClientStore } from './client.store.js';
import { ClientStateController } from './client-state.controller.js';
import { ClientsController } from './clients.controller.js';
import { ClientsService } from './clients.service.js';
import { ExpiredUriRemover } from './expired-uri-remover.js';
import { RedirectUrisController } from './redirect-uris.controller.js';
import { SecretChecks } from './secret-checks.js';

/** Clients: register, read, change, delete. */
@Module({
  controllers: [ClientsController, ClientStateController, RedirectUrisController],
  providers: [
    ClientsService,
    ClientStore,
    ChangePlanner,
    ChangeSignal,
    SecretChecks,
    IdempotentClientsService,
    ExpiredUriRemover,
  ],
  exports: [ClientsService, ClientStore, ChangePlanner, ChangeSignal, SecretChecks],
})
export class ClientsModule {}
