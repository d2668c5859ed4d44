import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { ExplainController } from './explain.controller.js';
import { ExplainService } from './explain.service.js';

/** Explains refused authorization requests. */
@Module({ imports: [ClientsModule], controllers: [ExplainController], providers: [ExplainService] })
export class ExplainModule {}
