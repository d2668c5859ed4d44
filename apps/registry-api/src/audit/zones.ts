import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type LookupRecord, LookupFormatError, openLookup } from '@svc/iplookup-core';

/** Where addresses lie, as a lookup file says. */
export interface Zones {
  /** @returns the record of the address's network; nothing when the file has none */
  zoneOf(address: string): LookupRecord | undefined;
}

/**
 * Reads a lookup file (.mmdb or .mmdb.gz) into memory.
 *
 * @throws {Error} when it cannot be read; its message does not name the file
 */
export function openZones(path: string): Zones {
  const lookup = openLookup(bytesOf(path));
  return { zoneOf: (address) => findIn(lookup, address) };
}

function bytesOf(path: string): Uint8Array {
  try {
    const bytes = readFileSync(path);
    return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  } catch (cause) {
    const { code = 'unreadable' } = cause as NodeJS.ErrnoException;
    throw new Error(`cannot be read (${code})`, { cause });
  }
}

/** A file that is damaged in one place still serves for the rest. */
function findIn(lookup: ReturnType<typeof openLookup>, address: string): LookupRecord | undefined {
  try {
    return lookup.find(address);
  } catch (error) {
    if (error instanceof LookupFormatError) return { error: 'the lookup file is damaged here' };
    throw error;
  }
}
