import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashAnswer, HashQuestion } from './hash-thread.js';
import { verifyForeignHash } from './verify-foreign-hash.js';

/** Requests come first. On Linux this applies to the calling thread alone, elsewhere to the whole process. */
const LOWER_PRIORITY = 10;
if (process.platform === 'linux') setPriority(0, LOWER_PRIORITY);

/** The program of a thread that verifies foreign hashes, one after the other. */
parentPort?.on('message', ({ secret, hash }: HashQuestion) => {
  const post = (answer: HashAnswer) => parentPort?.postMessage(answer);
  verifyForeignHash(secret, hash).then(
    (matches) => post({ matches }),
    // Its message contains neither the secret nor the hash.
    (error: unknown) => post({ failure: error instanceof Error ? error.name : 'Error' }),
  );
});
