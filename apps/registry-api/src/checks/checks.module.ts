import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UsedAssertions } from '../assertions/used-assertions.js';
import { ClientsModule } from '../clients/clients.module.js';
import { ForeignHashVerifier } from '../foreign-hashes/foreign-hash-verifier.js';
import { UsageModule } from '../usage/usage.module.js';
import { AuthorizationRequestCheckService } from './authorization-request-check.service.js';
import { ChecksController } from './checks.controller.js';
import { ClientAssertionCheckService } from './client-assertion-check.service.js';
import { ClientAssertionVerifier } from './client-assertion-verifier.js';
import { CookieWebhookCheckService } from './cookie-webhook-check.service.js';
import { SecretCheckService } from './secret-check.service.js';

/** Checks for authorization servers, and the test of a client's cookie webhook. */
@Module({
  imports: [ClientsModule, UsageModule],
  controllers: [ChecksController],
  providers: [
    AuthorizationRequestCheckService,
    SecretCheckService,
    ClientAssertionCheckService,
    ClientAssertionVerifier,
    { provide: UsedAssertions, inject: [DataSource], useFactory: (on: DataSource) => new UsedAssertions(on) },
    CookieWebhookCheckService,
    ForeignHashVerifier,
  ],
})
export class ChecksModule {}
