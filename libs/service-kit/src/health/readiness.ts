/** Something that a service depends on. */
export interface ReadinessCheck {
  /** What is checked, such as `postgresql`. */
  readonly name: string;
  /** Rejects if it is unavailable. @returns `degraded` if it only serves reads */
  check(): Promise<void | 'degraded'>;
}

/** Nest's injection token for the service's `ReadinessCheck[]`. */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

export type CheckOutcome = 'up' | 'degraded' | 'down';

/** `degraded`: reads are served, writes are not. */
export type ReadinessStatus = 'ready' | 'degraded' | 'not ready';

/** A check that takes longer has failed. */
const CHECK_DEADLINE_MS = 2_000;

/** Whether the service can take requests: every check passes and it is not shutting down. */
export class Readiness {
  private draining = false;

  constructor(private readonly checks: readonly ReadinessCheck[]) {}

  /** From now on the service is not ready, so that load balancers send requests elsewhere. */
  drain(): void {
    this.draining = true;
  }

  /** @returns each check's outcome by name, and the status that results */
  async examine(): Promise<{ status: ReadinessStatus; checks: Record<string, CheckOutcome> }> {
    const outcomes = await Promise.all(
      this.checks.map(async ({ name, check }) => [name, await outcomeOf(check)] as const),
    );
    return {
      status: this.statusOf(outcomes.map(([, outcome]) => outcome)),
      checks: Object.fromEntries(outcomes),
    };
  }

  private statusOf(outcomes: readonly CheckOutcome[]): ReadinessStatus {
    if (this.draining || outcomes.includes('down')) return 'not ready';
    return outcomes.includes('degraded') ? 'degraded' : 'ready';
  }
}

async function outcomeOf(check: ReadinessCheck['check']): Promise<CheckOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), CHECK_DEADLINE_MS);
  });
  try {
    return (await Promise.race([check(), late])) ?? 'up';
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}
