import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { RegistrationAccess } from './registration-access.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationTokenController } from './registration-token.controller.js';
import { RegistrationTokens } from './registration-tokens.js';
import { RegistrationService } from './registration.service.js';

/** Registration by developers; off unless configured. */
@Module({
  imports: [ClientsModule],
  controllers: [RegistrationController, RegistrationTokenController],
  providers: [RegistrationService, RegistrationAccess, RegistrationTokens],
})
export class RegistrationModule {}
