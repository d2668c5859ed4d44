import { readFileSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import {
  type Lookup,
  LookupFormatError,
  type LookupRecord,
  type LookupValue,
  openLookup,
  readLookupFile,
} from '@svc/iplookup-core';
import type { Zone, Zones } from './zones.js';

/** A lookup file (.mmdb or .mmdb.gz) in memory, which can be read anew when the file was replaced. */
export class LookupFile implements Zones {
  private lookup: Lookup;
  /** Tells the file that was read last, whether it was any good or not, from another one. */
  private stamp: string;

  /** @throws {Error} when it cannot be read; its message does not name the file */
  constructor(readonly path: string) {
    const { bytes, stamp } = readNow(path);
    this.lookup = openLookup(bytes);
    this.stamp = stamp;
  }

  /** Seconds since 1970, as the file says. */
  get buildEpoch(): number {
    return this.lookup.metadata.buildEpoch;
  }

  zoneOf(address: string): Zone | undefined {
    const record = this.find(withoutInterface(address));
    return record && toZone(record);
  }

  /**
   * Reads the file anew when another one stands at its path than the one that was read last. Until that is read as a
   * whole, and for good when it cannot be, the former one answers.
   *
   * @returns whether there was a new one
   * @throws {Error} once for each new file that cannot be read, or for its absence; the message names the file
   */
  async refresh(): Promise<boolean> {
    // Before it is read: what changes meanwhile is seen the next time.
    const stamp = await this.stampNow();
    if (stamp === this.stamp) return false;
    this.stamp = stamp;
    this.lookup = await readLookupFile(this.path);
    return true;
  }

  private async stampNow(): Promise<string> {
    try {
      return stampOf(await stat(this.path));
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code);
    }
  }

  /** A file that is damaged in one place still serves for the rest. */
  private find(address: string): ReturnType<Lookup['find']> {
    try {
      return this.lookup.find(address);
    } catch (error) {
      if (error instanceof LookupFormatError) return { error: 'the lookup file is damaged here' };
      throw error;
    }
  }
}

/** Of a link-local IPv6 address the system says at which interface it is (RFC 4007 section 11): `fe80::1%eth0`. */
function withoutInterface(address: string): string {
  return address.replace(/%.*$/, '');
}

function readNow(path: string): { bytes: Uint8Array; stamp: string } {
  try {
    const stats = statSync(path);
    // Reading a pipe would wait for a writer for ever.
    if (!stats.isFile()) throw new Error('it is not a file');
    const bytes = readFileSync(path);
    const isGzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return { bytes: isGzipped ? gunzipSync(bytes) : bytes, stamp: stampOf(stats) };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(`cannot be read (${code ?? message})`, { cause });
  }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

/**
 * A record as JSON. Foreign lookup files hold values that JSON lacks: large integers become decimal text, bytes
 * hexadecimal text.
 */
export function toZone(record: LookupRecord): Zone {
  return Object.fromEntries(Object.entries(record).map(([column, value]) => [column, toPlain(value)]));
}

function toPlain(value: LookupValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return isList(value) ? value.map(toPlain) : toZone(value);
}

function isList(value: LookupRecord | readonly LookupValue[]): value is readonly LookupValue[] {
  return Array.isArray(value);
}
