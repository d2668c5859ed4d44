import { Module } from '@nestjs/common';
import { ClientStore } from './client.store.js';
import { ClientsController } from './clients.controller.js';
import { ClientsService } from './clients.service.js';

/** Clients: register, read, list, replace, delete. */
@Module({
  controllers: [ClientsController],
  providers: [ClientsService, ClientStore],
  exports: [ClientsService],
})
export class ClientsModule {}
