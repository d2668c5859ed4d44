import type { LoadRecords } from './load-state.js';
import { type LoadRecord, parseRecord, recordPath } from './manifest.js';
import type { LastLoaded, SourceIdentity } from './ports/library-source.js';
import type { LibraryStore } from './ports/library-store.js';

/**
 * A source's revision at its most recent load, from the retained records: another source may have been loaded since.
 *
 * @returns undefined if none of its loads is retained; unknown if a record that could be one of them cannot be read
 */
export async function findLastLoaded(
  store: LibraryStore,
  { kind, origin }: Pick<SourceIdentity, 'kind' | 'origin'>,
  { manifest, loads }: Pick<LoadRecords, 'manifest' | 'loads'>,
): Promise<LastLoaded | undefined> {
  if (!manifest?.load) return undefined;
  const newest = recordPath(manifest.load);
  // Later loads are not finished.
  const finished = loads.filter((load) => load <= manifest.load).reverse();
  const nodes = await store.read('state', [newest, ...finished.map(recordPath)]);
  if (!nodes.has(newest)) return { unknown: `${store.stateNode(newest)} is missing` };
  for (const load of finished) {
    const node = nodes.get(recordPath(load));
    if (!node) continue;
    const record = tryParse(node.data);
    if (!record) return { unknown: `${store.stateNode(node.path)} is damaged` };
    const isOwn = record.source_kind === kind && record.origin === origin;
    if (!isOwn || record.finished_at === undefined) continue;
    // Revisions without changes are only in the manifest.
    return { revision: load === manifest.load ? manifest.revision : record.revision };
  }
  return undefined;
}

function tryParse(data: Uint8Array): LoadRecord | undefined {
  try {
    return parseRecord(data);
  } catch {
    return undefined;
  }
}
