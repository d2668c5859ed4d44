import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { UnusedClients } from './unused-clients.js';

/** Disables and deletes Clients of developers that are unused; off unless configured. */
@Module({ imports: [ClientsModule], providers: [UnusedClients] })
export class UnusedClientsModule {}
