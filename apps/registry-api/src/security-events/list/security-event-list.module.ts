import { Module } from '@nestjs/common';
import { ChangesModule } from '../../changes/changes.module.js';
import { EventPruner } from '../event-pruner.js';
import { SecurityEventReader } from './security-event-reader.js';
import { SecurityEventStreams } from './security-event-streams.js';
import { SecurityEventsController } from './security-events.controller.js';

/** Reading security events, and deleting old ones. */
@Module({
  imports: [ChangesModule],
  controllers: [SecurityEventsController],
  providers: [SecurityEventReader, SecurityEventStreams, EventPruner],
})
export class SecurityEventListModule {}
