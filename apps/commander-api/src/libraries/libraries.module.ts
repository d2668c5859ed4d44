import { Module } from '@nestjs/common';
import { LibrariesController } from './libraries.controller.js';
import { LibraryLoads } from './library-loads.js';
import { LibraryWatchService } from './library-watch.service.js';
import { LibraryWebhookController } from './library-webhook.controller.js';
import { LibrariesService } from './libraries.service.js';

/** `/library/*` */
@Module({
  controllers: [LibrariesController, LibraryWebhookController],
  providers: [LibraryLoads, LibrariesService, LibraryWatchService],
})
export class LibrariesModule {}
