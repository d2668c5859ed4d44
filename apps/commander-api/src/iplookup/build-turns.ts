import { Problem } from '@svc/service-kit';

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

  /** @throws {Problem} 409 when a build is under way */
  assertFree(): void {
    if (this.waiting === 0) return;
    const headers = { 'retry-after': '10' };
    throw new Problem({ status: 409, detail: 'Another lookup is being built.', headers });
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
   * @throws {Problem} 409 or 503, before anything is received
   */
  async receive<T>(receive: () => Promise<T>): Promise<T> {
    this.assertFree();
    if (this.uploads >= MAX_UPLOADS) {
      const detail = `${MAX_UPLOADS} inputs are being received already.`;
      throw new Problem({ status: 503, detail, headers: { 'retry-after': '60' } });
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
