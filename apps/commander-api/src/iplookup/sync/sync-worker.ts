import { workerData } from 'node:worker_threads';
import { runThreadTask } from '../build/run-thread-task.js';
import type { LookupDeclaration } from './lookup-declaration.js';
import { syncLookup, type SyncOptions } from './sync-lookups.js';

/** What the thread of a sync is given. */
export interface SyncTask extends Pick<
  SyncOptions,
  'folder' | 'paths' | 'buildEpoch' | 'keepVersions' | 'manifestTool'
> {
  readonly declaration: LookupDeclaration;
  readonly writer?: string;
}

const { declaration, ...options } = workerData as SyncTask;

await runThreadTask((signal) => syncLookup(declaration, { ...options, signal, onStep: () => undefined }));
