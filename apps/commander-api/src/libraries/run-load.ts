import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { loadLibrary, type LoadOptions, type LoadProgress, type LoadReport } from '@svc/library-sync';
import type { CommanderConfig } from '../config/commander-config.js';
import { openConfiguredSource, openConfiguredStore, type SourceOverrides } from './open-library.js';

/** What a caller of a load may ask for; the rest is configuration. */
export interface LoadRequest
  extends Pick<LoadOptions, 'dryRun' | 'prune' | 'allowEmpty' | 'ifChanged' | 'waitMs'>, SourceOverrides {}

export interface LoadEvents {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** Loads the configured source into the configured destination. The command and the HTTP API are both this. */
export async function runLoad(
  config: CommanderConfig,
  request: LoadRequest,
  events: LoadEvents,
): Promise<LoadReport> {
  const source = openConfiguredSource(config, request);
  const store = await openConfiguredStore(config);
  try {
    return await loadLibrary(
      source,
      store,
      { ...request, ...configuredOptions(config) },
      {
        id: randomUUID(),
        by: describeSelf(),
        now: () => new Date(),
        ...events,
      },
    );
  } finally {
    await store.close();
  }
}

/** What decides how a source is read and written. */
export function configuredOptions({
  source,
  destination,
}: CommanderConfig): Pick<LoadOptions, 'names' | 'versionNode' | 'exclude'> {
  const { names = 'library', version_node = '.version.yaml' } = destination;
  return { names, exclude: source.exclude, versionNode: version_node === 'none' ? undefined : version_node };
}

/** `root@host, process 12`: what the holder of a lock and the history show. */
export function describeSelf(): string {
  return `${userName()}@${hostname()}, process ${process.pid}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers run with users that no file knows.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
