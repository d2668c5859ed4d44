import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { AuthorizationRequestCheckService } from './authorization-request-check.service.js';
import { ChecksController } from './checks.controller.js';
import { CookieWebhookCheckService } from './cookie-webhook-check.service.js';
import { SecretCheckService } from './secret-check.service.js';

/** What authorization servers ask, and what shows whether a Client's cookie webhook works. */
@Module({
  imports: [ClientsModule],
  controllers: [ChecksController],
  providers: [AuthorizationRequestCheckService, SecretCheckService, CookieWebhookCheckService],
})
export class ChecksModule {}
