import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RegistryError } from '../errors/registry-error.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { BoundedQueue } from './bounded-queue.js';
import { HashThread } from './hash-thread.js';

/** Threads of a process: of several cores, one remains for requests. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Each takes about 2 s at most, so the last one waits about as long as callers do. */
const WAITING = 8 * THREADS;

/** Checks of one Client at a time: a flood of wrong secrets for it leaves room for others. */
const PER_CLIENT = 2;

/** A secret to verify, and what is stored of it. */
export interface ForeignCheck {
  readonly clientId: string;
  /** Id of the stored secret. */
  readonly id: string;
  readonly foreignHash: string;
}

/** Verifies hashes of other products in threads of its own. */
@Injectable()
export class ForeignHashVerifier implements OnApplicationShutdown {
  private readonly queue = new BoundedQueue({ running: THREADS, waiting: WAITING, perOwner: PER_CLIENT });
  private readonly free = Array.from({ length: THREADS }, () => new HashThread());
  /** Checks under way, which equal ones join: an application that starts often sends several. */
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly hasher: SecretHasher) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.free.map(async (thread) => thread.close()));
  }

  /** @throws {RegistryError} `checks_busy` if too many are under way, of all Clients or of this one */
  async verify(check: ForeignCheck, secret: string): Promise<boolean> {
    const key = `${check.id} ${this.hasher.hash(secret).hash.toString('base64')}`;
    const joined = this.underWay.get(key);
    if (joined) return joined;
    const added = this.queue.add(check.clientId, async () => this.run(check.foreignHash, secret));
    if (!added) throw checksBusy();
    const result = added.finally(() => this.underWay.delete(key));
    this.underWay.set(key, result);
    return result;
  }

  private async run(hash: string, secret: string): Promise<boolean> {
    const thread = this.free.pop();
    if (!thread) throw new Error('more jobs than threads');
    try {
      return await thread.verify({ secret, hash });
    } finally {
      this.free.push(thread);
    }
  }
}

function checksBusy(): RegistryError {
  return new RegistryError(
    'checks_busy',
    'too many checks of imported hashes are in progress; try again shortly',
  );
}
