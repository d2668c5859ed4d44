import { parentPort, workerData } from 'node:worker_threads';
import { buildLookup, type BuildRequest, type BuildSummary } from '@svc/iplookup-core';
import type { ProblemOptions } from '@svc/service-kit';
import { toProblemOptions } from './problem-options.js';

/** What the thread of a build tells at its end. */
export type BuildOutcome =
  { readonly summary: BuildSummary } | { readonly problem: ProblemOptions } | { readonly crash: string };

const port = parentPort!;
const stop = new AbortController();
port.once('message', () => stop.abort());

try {
  const summary = await buildLookup({ ...(workerData as BuildRequest), signal: stop.signal });
  port.postMessage({ summary } satisfies BuildOutcome);
} catch (error) {
  port.postMessage(toOutcome(error));
}
port.close();

function toOutcome(error: unknown): BuildOutcome {
  const problem = toProblemOptions(error);
  if (problem !== undefined) return { problem };
  return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
