import { workerData } from 'node:worker_threads';
import type { BuildRequest } from '@svc/iplookup-core';
import { runThreadTask } from './run-thread-task.js';

await runThreadTask(async (signal) => {
  // Loading takes longer than a small build, and requests come first here as well.
  const { buildLookup } = await import('@svc/iplookup-core');
  return buildLookup({ ...(workerData as BuildRequest), signal });
});
