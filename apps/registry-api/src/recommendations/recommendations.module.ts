import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { ClientListModule } from '../clients/list/client-list.module.js';
import { ClientExaminer } from './client-examiner.js';
import { ClientObserver } from './client-observer.js';
import { RecommendationsController } from './recommendations.controller.js';
import { RecommendationsService } from './recommendations.service.js';

/** What can be tightened in Clients, proven by how they are used. */
@Module({
  imports: [ChangesModule, ClientListModule],
  controllers: [RecommendationsController],
  providers: [RecommendationsService, ClientExaminer, ClientObserver],
})
export class RecommendationsModule {}
