const DAY_MS = 24 * 3_600_000;

/** How long changes are kept, in the feed and in the history of each Client. */
export class RetentionPolicy {
  constructor(private readonly days: number) {}

  /** Older changes may be deleted. */
  keptFrom(now: Date): Date {
    return new Date(now.getTime() - this.days * DAY_MS);
  }
}
