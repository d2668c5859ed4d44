import { Injectable } from '@nestjs/common';
import { CommanderError } from '../../errors/commander-error.js';

/** Concurrent uploads: each may fill the disk and take hours. */
const MAX_UPLOADS = 2;

/**
 * Runs one build at a time. Requests that have not sent an input yet are asked to retry; those whose input has been
 * received are queued, since their callers would have to send it again.
 */
@Injectable()
export class BuildQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private uploads = 0;

  /** @throws {CommanderError} if a build is in progress */
  assertFree(): void {
    if (this.waiting === 0) return;
    throw new CommanderError('build_in_progress', 'Another build is in progress.');
  }

  /** Runs the build after all earlier ones. */
  async run<T>(build: () => Promise<T>): Promise<T> {
    this.waiting++;
    const turn = this.last.then(build);
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.waiting--;
    }
  }

  /**
   * Receives an input, unless a build or too many uploads are in progress.
   *
   * @throws {CommanderError} before anything is received
   */
  async receive<T>(receive: () => Promise<T>): Promise<T> {
    this.assertFree();
    if (this.uploads >= MAX_UPLOADS) {
      throw new CommanderError('too_many_uploads', `${MAX_UPLOADS} uploads are already in progress.`);
    }
    this.uploads++;
    try {
      return await receive();
    } finally {
      this.uploads--;
    }
  }

  /** Waits for all builds to end. */
  async ended(): Promise<void> {
    await this.last;
  }
}
