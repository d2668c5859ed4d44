import { Injectable } from '@nestjs/common';
import { type PlaceTaker, SharedPlaces } from '@svc/service-kit';
import { CommanderError } from '../../errors/commander-error.js';

/** Concurrent uploads: each may fill the disk and take hours. */
const UPLOADS = {
  name: 'uploads',
  total: 3,
  perToken: 2,
  perAddress: 3,
  remedy: 'try again when one has finished',
};

/** Builds that run or wait. */
const MAX_BUILDS = 4;

/**
 * Runs one build at a time. A request that has not sent its input is rejected if its token has a build in progress or too many
 * builds are queued; it waits behind builds of other tokens, so that no token can keep others from building. A request whose
 * input has been received always waits, since its caller would have to send it again.
 */
@Injectable()
export class BuildQueue {
  private last: Promise<unknown> = Promise.resolve();
  /** The tokens of builds that run or wait; empty texts for scheduled ones. */
  private readonly owners: string[] = [];
  private readonly uploads = new SharedPlaces(UPLOADS);

  /** @throws {CommanderError} if a build of this token is in progress, or too many of others */
  assertFree({ id }: PlaceTaker): void {
    if (!this.owners.includes(id) && this.owners.length < MAX_BUILDS) return;
    throw new CommanderError('build_in_progress', 'Another build is in progress.');
  }

  /** Runs the build after all earlier ones. @param owner the token that requests it */
  async run<T>(build: () => Promise<T>, owner = ''): Promise<T> {
    this.owners.push(owner);
    const turn = this.last.then(build);
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.owners.splice(this.owners.indexOf(owner), 1);
    }
  }

  /**
   * Receives an input, unless {@link assertFree} rejects it or too many uploads are in progress.
   *
   * @throws {CommanderError | NoPlaceLeftError} before anything is received
   */
  async receive<T>(receive: () => Promise<T>, sender: PlaceTaker): Promise<T> {
    this.assertFree(sender);
    const leave = this.uploads.take(sender);
    try {
      return await receive();
    } finally {
      leave();
    }
  }

  /** Waits for all builds to end. */
  async ended(): Promise<void> {
    await this.last;
  }
}
