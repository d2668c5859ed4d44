import { once } from 'node:events';
import { workerData } from 'node:worker_threads';
import { dumpLookupFile } from '@svc/iplookup-core';
import { runThreadTask } from '../build/run-thread-task.js';

/** What the thread of a dump writes to its standard output, which its parent reads. */
export interface DumpTask {
  readonly path: string;
  readonly form: 'cidr' | 'range';
}

const { path, form } = workerData as DumpTask;

await runThreadTask((signal) =>
  dumpLookupFile(
    path,
    async (content) => {
      for await (const chunk of content) {
        if (!process.stdout.write(chunk)) await once(process.stdout, 'drain', { signal });
      }
      await new Promise((resolve) => process.stdout.write('', resolve));
    },
    { form },
  ),
);
