import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RegistryFigures } from '../metrics/registry-figures.js';
import { ChangeStreams, MAX_STREAMS } from './change-streams.js';
import { NotificationLink } from './notification-link.js';

/** Figures of the change feed. */
@Injectable()
export class ChangeFigures implements OnModuleInit {
  constructor(
    private readonly figures: RegistryFigures,
    private readonly streams: ChangeStreams,
    private readonly link: NotificationLink,
  ) {}

  onModuleInit(): void {
    this.figures.watch('change_streams', 'Open change streams.', () => this.streams.count);
    this.figures.watch(
      'change_streams_limit',
      'How many change streams there may be before further ones get 503.',
      () => MAX_STREAMS,
    );
    // The embedded database has no link, and what is not there is not down.
    if (this.link.isNeeded) {
      this.figures.watch(
        'change_notification_link_up',
        '1 while other replicas are heard of their changes at once; at 0 changes are polled for each second.',
        () => (this.link.isUp ? 1 : 0),
      );
    }
  }
}
