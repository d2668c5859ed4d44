import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import { diffLookupFiles, inspectLookupFile, verifyLookupFile } from '@svc/iplookup-core';
import { runThreadTask } from '../build/run-thread-task.js';
import { toSnakeCaseKeys } from '../files/http-names.js';
import { explainLookup } from '../sync/explain-lookup.js';
import type { LookupDeclaration } from '../sync/lookup-declaration.js';
import { inspectionJson } from './lookup-text.js';
import { differencesJson, verificationJson } from '../files/record-json.js';

/** What a thread reads of lookup files, given by their paths. */
export type ReadTask =
  | { readonly read: 'inspect'; readonly path: string; readonly file: string; readonly column?: string }
  | { readonly read: 'verify'; readonly path: string; readonly file: string }
  | { readonly read: 'diff'; readonly before: string; readonly after: string; readonly limit: number }
  | ExplainTask;

interface ExplainTask {
  readonly read: 'explain';
  readonly declaration: LookupDeclaration;
  readonly address: string;
  readonly folder: string;
  /** The paths of the sources, by name. */
  readonly paths: Readonly<Record<string, string>>;
}

await runThreadTask(async (signal) => run(workerData as ReadTask, signal));

async function run(task: ReadTask, signal: AbortSignal): Promise<object> {
  if (task.read === 'explain') return explain(task, signal);
  if (task.read === 'diff') {
    return differencesJson(await diffLookupFiles(task.before, task.after, task.limit));
  }
  const { path, file } = task;
  if (task.read === 'verify') return toSnakeCaseKeys(verificationJson(file, await verifyLookupFile(path)));
  const { column } = task;
  const inspection = await inspectLookupFile(path, column === undefined ? {} : { column });
  return { ...inspectionJson(file, inspection), metadata: toSnakeCaseKeys(inspection.metadata) };
}

async function explain(
  { declaration, address, folder, paths }: ExplainTask,
  signal: AbortSignal,
): Promise<object> {
  const values = await explainLookup(declaration, address, { folder, paths, signal });
  const named = values.map(({ source, ...value }) => ({ ...value, source: withoutFolder(source) }));
  return { lookup: declaration.name, ip: address, values: named };
}

/** Callers must not learn the server's folders. */
function withoutFolder(source: string): string {
  return source.startsWith('https://') ? source : basename(source);
}
