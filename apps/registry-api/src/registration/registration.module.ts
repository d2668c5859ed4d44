import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { OpenRegistration } from './open-registration.js';
import { PendingClients } from './pending-clients.js';
import { PendingDeletions } from './pending-deletions.js';
import { RegistrationAccess } from './registration-access.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationTokenController } from './registration-token.controller.js';
import { RegistrationEvents } from './registration-events.js';
import { RegistrationExpiries } from './registration-expiries.js';
import { RegistrationLimits } from './registration-limits.js';
import { RegistrationTokens } from './registration-tokens.js';
import { RegistrationService } from './registration.service.js';

/** Registration by developers; off unless configured. */
@Module({
  imports: [ClientsModule],
  controllers: [RegistrationController, RegistrationTokenController],
  providers: [
    RegistrationService,
    RegistrationAccess,
    RegistrationTokens,
    RegistrationLimits,
    RegistrationEvents,
    RegistrationExpiries,
    OpenRegistration,
    PendingClients,
    PendingDeletions,
  ],
})
export class RegistrationModule {}
