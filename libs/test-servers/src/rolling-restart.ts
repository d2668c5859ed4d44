import { BalancedCallers, type BalancedRequest } from './balanced-callers.js';

/** A process that serves. */
export interface Replica {
  readonly url: string;
}

/** How replicas come and go. */
export interface RollingRestart<R extends Replica> {
  /** Resolves once it listens. */
  readonly start: () => Promise<R>;
  /** Asks it to end in order, and resolves once it has. */
  readonly end: (replica: R) => Promise<void>;
  /** How often one of the two replicas is replaced. */
  readonly rounds: number;
}

const CALLERS = 16;

/** Answers between two steps. */
const BETWEEN = 200;

/**
 * Replaces one of two replicas after another while callers behind a balancer ask without a pause.
 *
 * @returns how many requests were answered as expected, and what became of the others
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
