import { basename, sep } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import {
  buildLookup,
  type BuildRequest,
  type BuildSummary,
  type InputFault,
  LookupInputError,
} from '@svc/iplookup-core';
import { type IplookupFailure, toIplookupFailure } from './iplookup-failure.js';

/** What the thread of a build tells at its end. */
export type BuildOutcome =
  | { readonly summary: BuildSummary }
  | { readonly failure: IplookupFailure; readonly faults: readonly InputFault[] }
  | { readonly crash: string };

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
  const failure = toIplookupFailure(error);
  if (!failure) return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const faults = error instanceof LookupInputError ? error.faults : [];
  return { failure: { ...failure, message: withoutFolders(failure.message) }, faults };
}

/** Folders of the server are none of a caller's business. */
function withoutFolders(message: string): string {
  const { input, inputName, folder } = workerData as BuildRequest;
  return message.replaceAll(input, inputName ?? basename(input)).replaceAll(folder + sep, '');
}
