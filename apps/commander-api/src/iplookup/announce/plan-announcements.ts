import type { StoredNode, WriteOperation } from '@svc/library-sync';
import type { LookupFile } from '../files/lookup-files.js';

/** Content of a lookup's node. */
export interface Announcement {
  readonly name: string;
  /** Increases by one with each change. */
  readonly version: number;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly modified: string;
  /** Where to download it, if `iplookup.url` is set. */
  readonly url?: string;
}

/** A lookup whose announcement is missing or out of date. */
export interface StaleAnnouncement {
  readonly lookup: LookupFile;
  readonly node: StoredNode | undefined;
  readonly former: Announcement | undefined;
}

/**
 * The lookups whose announcements differ from their files in name, size, time or URL.
 *
 * @param base URL of the server, without a slash at its end
 */
export function staleAnnouncements(
  lookups: readonly LookupFile[],
  nodes: ReadonlyMap<string, StoredNode>,
  base: string | undefined,
): StaleAnnouncement[] {
  return lookups.flatMap((lookup) => {
    const node = nodes.get(lookup.name);
    const former = node && readAnnouncement(node.data);
    const isCurrent =
      former !== undefined &&
      former.file === lookup.file &&
      former.bytes === lookup.bytes &&
      former.modified === lookup.modified &&
      former.url === urlOf(base, lookup.file);
    return isCurrent ? [] : [{ lookup, node, former }];
  });
}

/** The write that announces a lookup. */
export function announce(
  { lookup, node, former }: StaleAnnouncement,
  sha256: string,
  base: string | undefined,
): WriteOperation {
  const { name, file, bytes, modified } = lookup;
  const url = urlOf(base, file);
  const announcement: Announcement = {
    name,
    version: (former?.version ?? 0) + 1,
    file,
    sha256,
    bytes,
    modified,
    ...(url !== undefined && { url }),
  };
  const data = Buffer.from(JSON.stringify(announcement));
  const write = { area: 'library', path: name, kind: 'file', data } as const;
  return node === undefined
    ? { type: 'create', ...write }
    : { type: 'update', ...write, version: node.version };
}

/** The writes that take back announcements of lookups that are gone; nodes of others stay. */
export function withdraw(
  lookups: readonly LookupFile[],
  nodes: ReadonlyMap<string, StoredNode>,
): Extract<WriteOperation, { type: 'remove' }>[] {
  const names = new Set(lookups.map(({ name }) => name));
  return [...nodes.values()].flatMap(({ path, data, version }) =>
    names.has(path) || readAnnouncement(data)?.name !== path
      ? []
      : [{ type: 'remove', area: 'library', path, version } as const],
  );
}

function readAnnouncement(data: Uint8Array): Announcement | undefined {
  try {
    const value = JSON.parse(Buffer.from(data).toString('utf8')) as Partial<Announcement> | null;
    return Number.isSafeInteger(value?.version) ? (value as Announcement) : undefined;
  } catch {
    return undefined;
  }
}

function urlOf(base: string | undefined, file: string): string | undefined {
  return base === undefined ? undefined : `${base}/iplookup/${encodeURIComponent(file)}`;
}
