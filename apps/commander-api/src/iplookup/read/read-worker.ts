import { workerData } from 'node:worker_threads';
import { diffLookupFiles, inspectLookupFile, verifyLookupFile } from '@svc/iplookup-core';
import { answerThread } from '../build/answer-thread.js';
import { toSnakeCaseKeys } from '../files/http-names.js';
import { inspectionJson } from './lookup-text.js';
import { differencesJson, verificationJson } from '../files/record-json.js';

/** What a thread reads of lookup files, given by their paths. */
export type ReadTask =
  | { readonly read: 'inspect'; readonly path: string; readonly file: string; readonly column?: string }
  | { readonly read: 'verify'; readonly path: string; readonly file: string }
  | { readonly read: 'diff'; readonly before: string; readonly after: string; readonly limit: number };

await answerThread(async () => run(workerData as ReadTask));

async function run(task: ReadTask): Promise<object> {
  if (task.read === 'diff') {
    return differencesJson(await diffLookupFiles(task.before, task.after, task.limit));
  }
  const { path, file } = task;
  if (task.read === 'verify') return toSnakeCaseKeys(verificationJson(file, await verifyLookupFile(path)));
  const { column } = task;
  const inspection = await inspectLookupFile(path, column === undefined ? {} : { column });
  return { ...inspectionJson(file, inspection), metadata: toSnakeCaseKeys(inspection.metadata) };
}
