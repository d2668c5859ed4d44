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
      'Limit of open change streams, beyond which the response is 503.',
      () => MAX_STREAMS,
    );
    // The embedded database needs no link.
    if (this.link.isNeeded) {
      this.metrics.watch(
        'change_notification_link_up',
        '1 while changes made by other replicas arrive immediately, 0 while they are polled for every second.',
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
  exports: [StreamAccess],
})
export class ChangesModule {}
