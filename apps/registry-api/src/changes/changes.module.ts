import { Module } from '@nestjs/common';
import { ChangeFigures } from './change-figures.js';
import { ChangeFeed } from './change-feed.js';
import { ChangePruner } from './change-pruner.js';
import { ChangeReader } from './change-reader.js';
import { ClientsModule } from '../clients/clients.module.js';
import { ChangeStreams } from './change-streams.js';
import { ChangesController } from './changes.controller.js';
import { NotificationLink } from './notification-link.js';
import { StreamAccess } from './stream-access.js';

/** The change feed. Whoever commits a change announces it with `ChangeSignal`. */
@Module({
  imports: [ClientsModule],
  controllers: [ChangesController],
  providers: [
    ChangeReader,
    ChangeFeed,
    ChangeStreams,
    StreamAccess,
    NotificationLink,
    ChangePruner,
    ChangeFigures,
  ],
})
export class ChangesModule {}
