/** One thing a service needs to do its work. */
export interface ReadinessCheck {
  /** What is checked, such as `postgresql`. */
  readonly name: string;
  /** Rejects when it is not usable now. The reason goes to the log, not to the caller. */
  check(): Promise<void>;
}

/** Nest's injection token for the service's `ReadinessCheck[]`. */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

/** A check that takes longer counts as failed. */
const CHECK_DEADLINE_MS = 2_000;

/** Whether the service takes work: every check passes and no shutdown has begun. */
export class Readiness {
  private draining = false;

  constructor(private readonly checks: readonly ReadinessCheck[]) {}

  /** From now on the service is not ready: load balancers look elsewhere while requests under way finish. */
  drain(): void {
    this.draining = true;
  }

  /** @returns each check's outcome by name; `ready` only when all passed */
  async examine(): Promise<{ ready: boolean; checks: Record<string, 'up' | 'down'> }> {
    const outcomes = await Promise.all(
      this.checks.map(async ({ name, check }) => [name, await passes(check)] as const),
    );
    const ready = !this.draining && outcomes.every(([, up]) => up);
    return { ready, checks: Object.fromEntries(outcomes.map(([name, up]) => [name, up ? 'up' : 'down'])) };
  }
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), CHECK_DEADLINE_MS);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
