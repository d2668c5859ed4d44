import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { SecretNotices } from './secret-notices.js';

/** Announces client secrets that expire soon. */
@Module({ imports: [ClientsModule], providers: [SecretNotices] })
export class SecretNoticesModule {}
