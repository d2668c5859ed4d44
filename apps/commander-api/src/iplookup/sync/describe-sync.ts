import { basename } from 'node:path';
import { type LookupManifest, sha256OfFile } from '@svc/iplookup-core';
import type { LookupDeclaration } from './lookup-declaration.js';
import { type FileStamp, modifiedMs } from './source-identity.js';
import type { LookupState, SyncStates } from './sync-state.js';

/** What a manifest says about a declared lookup. */
export interface SyncedParts extends Pick<LookupState, 'files' | 'layers'> {
  /** The stamps of the sources, and of files joined to them, as they were read. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** Name and version of the program. */
  readonly tool: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
  /** Has the number of rows that each layer was built from. */
  readonly states: SyncStates;
}

/**
 * Describes a lookup that was merged from its layers.
 *
 * @param partial the complete lookup file, under its temporary name
 * @param target the file that it will be
 * @param guarded what the guards found
 */
export async function describeSync(
  { layers, guards: _, ...declaration }: LookupDeclaration,
  { files, layers: keys, stamps, tool, buildEpoch, states }: SyncedParts,
  partial: string,
  target: string,
  guarded: Pick<LookupManifest, 'guards' | 'forcedBy'>,
): Promise<LookupManifest> {
  const fileOf = (name: string) => ({
    name,
    bytes: stamps.get(name)!.bytes,
    modified: new Date(modifiedMs(stamps.get(name)!)).toISOString(),
    sha256: files[name]!.sha256,
  });
  const rows = await Promise.all(keys.map((key) => states.readRows(key)));
  return {
    file: basename(target),
    sha256: await sha256OfFile(partial),
    built: new Date(buildEpoch * 1000).toISOString(),
    tool,
    declaration,
    layers: layers.map(({ source, kind, merge, joins, flags, terms }, index) => ({
      kind,
      merge,
      source: fileOf(source),
      ...(joins.length > 0 && { joins: joins.map(({ name, ...join }) => ({ ...join, ...fileOf(name) })) }),
      options: flags,
      ...(rows[index] !== undefined && { rows: rows[index] }),
      ...terms,
    })),
    ...guarded,
  };
}
