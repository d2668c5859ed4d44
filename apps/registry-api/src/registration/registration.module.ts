import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { RegistrationAccess } from './registration-access.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';

/** Registration by developers; off unless configured. */
@Module({
  imports: [ClientsModule],
  controllers: [RegistrationController],
  providers: [RegistrationService, RegistrationAccess],
})
export class RegistrationModule {}
