import { Module } from '@nestjs/common';
import { LibrariesController } from './libraries.controller.js';
import { LibraryMetrics } from './library-metrics.js';
import { LibraryWatchService } from './library-watch.service.js';
import { LibraryWebhookController } from './library-webhook.controller.js';
import { LibrariesService } from './libraries.service.js';

/** `/library/*` */
@Module({
  controllers: [LibrariesController, LibraryWebhookController],
  providers: [LibraryMetrics, LibrariesService, LibraryWatchService],
})
export class LibrariesModule {}
