import { Module } from '@nestjs/common';
import { LibrariesController } from './libraries.controller.js';
import { LibrariesService } from './libraries.service.js';
import { LibraryListController } from './library-list.controller.js';
import { LibraryMetrics } from './library-metrics.js';
import { LibraryWebhookController } from './library-webhook.controller.js';

/** `/library/*` and `/libraries/*` */
@Module({
  controllers: [LibrariesController, LibraryListController, LibraryWebhookController],
  providers: [LibraryMetrics, LibrariesService],
})
export class LibrariesModule {}
