import { CommanderError } from '../errors/commander-error.js';

/** Inputs that are received at once: each may take the disk and hours. */
const MAX_UPLOADS = 2;

/**
 * Lets one build run at a time. A request that has sent nothing yet is told to come again; one whose input has been
 * received waits for its turn, since its caller would have to send it all again.
 */
export class BuildTurns {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private uploads = 0;

  /** @throws {CommanderError} when a build is under way */
  assertFree(): void {
    if (this.waiting === 0) return;
    throw new CommanderError('build_in_progress', 'Another lookup is being built.');
  }

  /** Builds once all builds before have ended. */
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
   * Receives an input, unless a build is under way or too many inputs are being received.
   *
   * @throws {CommanderError} before anything is received
   */
  async receive<T>(receive: () => Promise<T>): Promise<T> {
    this.assertFree();
    if (this.uploads >= MAX_UPLOADS) {
      throw new CommanderError('too_many_uploads', `${MAX_UPLOADS} inputs are being received already.`);
    }
    this.uploads++;
    try {
      return await receive();
    } finally {
      this.uploads--;
    }
  }

  /** Waits until all builds have ended. */
  async ended(): Promise<void> {
    await this.last;
  }
}
