import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { ChangeFeed } from './change-feed.js';
import { ChangePruner } from './change-pruner.js';
import { ChangeReader } from './change-reader.js';
import { ChangeStreams, MAX_STREAMS } from './change-streams.js';
import { ChangesController } from './changes.controller.js';
import { NotificationLink } from './notification-link.js';
import { StreamAccess } from './stream-access.js';

@Injectable()
export class ChangeMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: RegistryMetrics,
    private readonly streams: ChangeStreams,
    private readonly link: NotificationLink,
  ) {}

  onModuleInit(): void {
    this.metrics.watch('change_streams', 'Open change streams.', () => this.streams.count);
    this.metrics.watch(
      'change_streams_limit',
      'How many change streams there may be before further ones get 503.',
      () => MAX_STREAMS,
    );
    // The embedded database needs no link, so it has none that could be down.
    if (this.link.isNeeded) {
      this.metrics.watch(
        'change_notification_link_up',
        '1 while other replicas are heard of their changes at once; at 0 changes are polled for each second.',
        () => (this.link.isUp ? 1 : 0),
      );
    }
  }
}

/** The change feed. */
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
    ChangeMetrics,
  ],
})
export class ChangesModule {}
