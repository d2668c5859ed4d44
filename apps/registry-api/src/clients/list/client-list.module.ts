import { Module } from '@nestjs/common';
import { ClientFinder } from './client-finder.js';
import { ClientListController } from './client-list.controller.js';
import { ClientListService } from './client-list.service.js';

/** Finding Clients among many. */
@Module({
  controllers: [ClientListController],
  providers: [ClientListService, ClientFinder],
  exports: [ClientFinder],
})
export class ClientListModule {}
