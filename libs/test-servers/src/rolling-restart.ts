import { BalancedCallers, type BalancedRequest } from './balanced-callers.js';

/** A serving process. */
export interface Replica {
  readonly url: string;
}

/** How to start and stop replicas. */
export interface RollingRestart<R extends Replica> {
  /** Resolves once it listens. */
  readonly start: () => Promise<R>;
  /** Shuts it down gracefully. */
  readonly end: (replica: R) => Promise<void>;
  /** Number of replacements. */
  readonly rounds: number;
}

const CALLERS = 16;

/** Responses between two steps. */
const BETWEEN = 200;

/**
 * Replaces two replicas in turn while callers behind a balancer send requests continuously.
 *
 * @returns the number of successful requests, and descriptions of the others
 */
export async function restartInTurn<R extends Replica>(
  asked: BalancedRequest,
  { start, end, rounds }: RollingRestart<R>,
): Promise<{ readonly answered: number; readonly failed: readonly string[] }> {
  const callers = new BalancedCallers(asked, CALLERS);
  const replicas: R[] = [];
  const add = async () => {
    const replica = await start();
    replicas.push(replica);
    callers.add(replica.url);
    await callers.balancing(replicas.length);
    await callers.more(BETWEEN);
  };
  await add();
  await add();
  for (let round = 0; round < rounds; round += 1) {
    const [former] = replicas.splice(0, 1) as [R];
    await end(former);
    callers.remove(former.url);
    await callers.more(BETWEEN);
    await add();
  }
  await callers.stop();
  await Promise.all(replicas.map(end));
  return callers;
}
