import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A message to `foreign-hash-worker.ts`. */
export interface HashQuestion {
  readonly secret: string;
  readonly hash: string;
}

/** Its answer. */
export type HashAnswer = { readonly matches: boolean } | { readonly failure: string };

const PROGRAM = new URL('./foreign-hash-worker.js', import.meta.url);

/** How long an unused thread stays. */
const IDLE_MS = 60_000;

/** A thread that verifies one hash at a time. It starts when it is needed, and ends when it no longer is. */
export class HashThread {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  /** Await it before the next call. */
  async verify(question: HashQuestion): Promise<boolean> {
    clearTimeout(this.idle);
    this.worker ??= new Worker(PROGRAM);
    const { worker } = this;
    const done = new AbortController();
    try {
      worker.postMessage(question);
      const events = [once(worker, 'message', done), once(worker, 'exit', done).then(threadEnded)];
      const [answer] = (await Promise.race(events)) as [HashAnswer];
      if ('failure' in answer) throw new Error(`a foreign hash cannot be verified: ${answer.failure}`);
      return answer.matches;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      done.abort();
      this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }
}

function threadEnded(): never {
  throw new Error('the thread that verifies foreign hashes ended');
}
