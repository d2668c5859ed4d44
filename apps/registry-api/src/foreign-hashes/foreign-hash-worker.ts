import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@svc/service-kit/lower-thread-priority';
import type { HashAnswer, HashQuestion } from './hash-thread.js';
import { verifyForeignHash } from './verify-foreign-hash.js';

/** Requests come first. */
const NICENESS = 10;
lowerThreadPriority(NICENESS);

/** The program of a thread that verifies foreign hashes, one after the other. */
parentPort?.on('message', ({ secret, hash }: HashQuestion) => {
  const post = (answer: HashAnswer) => parentPort?.postMessage(answer);
  verifyForeignHash(secret, hash).then(
    (matches) => post({ matches }),
    // Its message contains neither the secret nor the hash.
    (error: unknown) => post({ failure: error instanceof Error ? error.name : 'Error' }),
  );
});
