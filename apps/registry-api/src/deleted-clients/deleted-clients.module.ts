import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { DeletedClientStore } from './deleted-client.store.js';
import { DeletedClientPruner } from './deleted-client-pruner.js';
import { DeletedClientsController } from './deleted-clients.controller.js';
import { DeletedClientsService } from './deleted-clients.service.js';

/** Deleted Clients: listing, restoring and purging them. */
@Module({
  imports: [ClientsModule],
  controllers: [DeletedClientsController],
  providers: [DeletedClientStore, DeletedClientsService, DeletedClientPruner],
  exports: [DeletedClientsService],
})
export class DeletedClientsModule {}
