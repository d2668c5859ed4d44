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
} from '@svc/iplookup-core/reader';

/** A lookup file's record for an address, by column: plain JSON, nested as in the file. */
export type Zone = Readonly<Record<string, unknown>>;

/** Finds the zones of addresses. */
export interface Zones {
  /** @returns the record of the address's network; `undefined` if there is none, or `address` is not an address */
  zoneOf(address: string): Zone | undefined;
}

/** Nest's injection token for the `Zones`; `undefined` if no lookup file is configured. */
export const ZONES = Symbol('Zones');

/** A lookup file (.mmdb or .mmdb.gz) in memory, which can be reloaded when the file is replaced. */
export class LookupFile implements Zones {
  private lookup: Lookup;
  /** Identifies the file that was read last, valid or not. */
  private stamp: string;

  /** @throws {Error} if it cannot be read; the message does not name the file */
  constructor(readonly path: string) {
    const { bytes, stamp } = readNow(path);
    this.lookup = openLookup(bytes);
    this.stamp = stamp;
  }

  /** Seconds since 1970, according to the file. */
  get buildEpoch(): number {
    return this.lookup.metadata.buildEpoch;
  }

  zoneOf(address: string): Zone | undefined {
    const record = this.find(withoutInterface(address));
    return record && toZone(record);
  }

  /**
   * Reloads the file if it has been replaced. The previous one stays in use until the new one has been read, and if it cannot
   * be read.
   *
   * @returns whether a new one was loaded
   * @throws {Error} once for each new file that cannot be read, and if the file is missing; the message names it
   */
  async refresh(): Promise<boolean> {
    // Taken before the read, so that the next refresh notices a change during it.
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

  /** A file that is damaged in one place can still be used for other addresses. */
  private find(address: string): ReturnType<Lookup['find']> {
    try {
      return this.lookup.find(address);
    } catch (error) {
      if (error instanceof LookupFormatError) return { error: 'the lookup file is damaged here' };
      throw error;
    }
  }
}

/** Link-local IPv6 addresses have a suffix for the interface (RFC 4007 section 11): `fe80::1%eth0`. */
function withoutInterface(address: string): string {
  return address.replace(/%.*$/, '');
}

function readNow(path: string): { bytes: Uint8Array; stamp: string } {
  try {
    const stats = statSync(path);
    // Reading a pipe would wait for a writer forever.
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
 * A record as JSON. Values that JSON lacks become text: large integers decimal, bytes hexadecimal.
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
