import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@svc/iplookup-core';
import type { FileStamp } from './source-identity.js';

/** What a lookup was built from. */
export interface LookupState {
  /** SHA-256 of the declaration. */
  readonly declaration: string;
  /** The sources, and the files joined to them, by their names. */
  readonly files: Readonly<Record<string, FileState>>;
  /** The layers' files in {@link SyncStates.layers}; null for a source that is a lookup itself. */
  readonly layers: readonly (string | null)[];
  /** The lookup file. */
  readonly file: string;
  readonly stamp: FileStamp;
  readonly records: number;
  /** The file that was built, while a former version, built from something else, is in its place. */
  readonly rolledBackFrom?: FileStamp;
}

export interface FileState {
  /** SHA-256 of the content. */
  readonly sha256: string;
  /** Absent if it cannot be trusted. */
  readonly stamp?: FileStamp;
}

/** How long something is kept that is not used: another run may be about to. */
const UNUSED_MS = 24 * 60 * 60 * 1000;

/** What earlier runs built: a folder beside the lookups, which is rebuilt if deleted. */
export class SyncStates {
  private readonly folder: string;
  /** The layers' lookup files, each named by what it was built from. */
  readonly layers: string;

  /** @param lookups the folder of lookup files */
  constructor(lookups: string) {
    this.folder = join(lookups, '.sync');
    this.layers = join(this.folder, 'layers');
  }

  async prepare(): Promise<void> {
    await mkdir(this.layers, { recursive: true });
  }

  layerPath(key: string): string {
    return join(this.layers, `${key}.mmdb`);
  }

  async hasLayer(key: string): Promise<boolean> {
    return stat(this.layerPath(key)).then(
      () => true,
      () => false,
    );
  }

  /** Notes how many rows a layer was built of, beside it. */
  async writeRows(key: string, rows: number): Promise<void> {
    await this.writeJson(this.rowsPath(key), { rows });
  }

  /** @returns undefined if that is not known */
  async readRows(key: string | null): Promise<number | undefined> {
    if (key === null) return undefined;
    try {
      const { rows } = JSON.parse(await readFile(this.rowsPath(key), 'utf8')) as { rows?: unknown };
      return typeof rows === 'number' ? rows : undefined;
    } catch {
      return undefined;
    }
  }

  /** @param keys null for sources that are lookups themselves */
  async dropLayers(keys: readonly (string | null)[]): Promise<void> {
    for (const key of keys) if (key !== null) await rm(this.layerPath(key), { force: true });
  }

  /** @returns undefined if it is missing or unreadable: the lookup is rebuilt */
  async read(name: string): Promise<LookupState | undefined> {
    try {
      return JSON.parse(await readFile(this.pathOf(name), 'utf8')) as LookupState;
    } catch {
      return undefined;
    }
  }

  async write(name: string, state: LookupState): Promise<void> {
    await this.writeJson(this.pathOf(name), state);
  }

  private async writeJson(path: string, value: object): Promise<void> {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
    };
    await writeFileAtomically(path, content(), { gzip: false });
  }

  /**
   * Removes what has been left for a day: states of lookups that are not declared, and layers that no lookup uses.
   *
   * @param declared names of lookups
   */
  async clean(now: number, declared: readonly string[]): Promise<void> {
    await this.prepare();
    const used = new Set<string>();
    for (const file of await readdir(this.folder)) {
      if (!file.endsWith('.json')) continue;
      const name = file.slice(0, -'.json'.length);
      if (!declared.includes(name) && (await removeIfLeft(join(this.folder, file), now))) continue;
      const state = await this.read(name);
      for (const key of state?.layers ?? []) if (key !== null) used.add(`${key}.mmdb`).add(`${key}.json`);
    }
    for (const file of await readdir(this.layers))
      if (!used.has(file)) await removeIfLeft(join(this.layers, file), now);
  }

  private rowsPath(key: string): string {
    return join(this.layers, `${key}.json`);
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}

/** @returns true if it was removed */
async function removeIfLeft(path: string, now: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
  if (now - mtimeMs <= UNUSED_MS) return false;
  await rm(path, { force: true });
  return true;
}
