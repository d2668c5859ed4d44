import type { Logger } from 'pino';

/** Logs an outage once when it begins and once when it ends, however many requests it fails. */
export class Outage {
  private ongoing: { readonly since: number; failures: number } | undefined;
  private succeededAt = -Infinity;

  /** @param texts what the log says when the outage begins and ends */
  constructor(
    private readonly texts: { readonly began: string; readonly ended: string },
    private readonly logger: Logger,
  ) {}

  get isOngoing(): boolean {
    return this.ongoing !== undefined;
  }

  /**
   * @param begunAt when the failed attempt began: `performance.now()`. If something has succeeded since, the failure is
   *   ignored: it would make a past outage seem to begin again
   */
  failed(error: unknown, begunAt: number): void {
    if (begunAt < this.succeededAt) return;
    if (this.ongoing === undefined) {
      this.ongoing = { since: performance.now(), failures: 0 };
      this.logger.error({ reason: reasonOf(error) }, this.texts.began);
    }
    this.ongoing.failures += 1;
  }

  succeeded(): void {
    this.succeededAt = performance.now();
    if (this.ongoing === undefined) return;
    const { since, failures } = this.ongoing;
    this.ongoing = undefined;
    this.logger.warn({ seconds: (performance.now() - since) / 1_000, failures }, this.texts.ended);
  }
}

/** Code and message in one line: the stack would be that of whichever request came first. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : String(error);
  return typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text;
}
