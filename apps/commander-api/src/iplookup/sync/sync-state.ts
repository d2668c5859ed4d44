import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolders } from '@svc/foundation/files';
import { OutputFileError, removeStale, writeFileAtomically } from '@svc/iplookup-core';
import { type FileStamp, isSameStamp, stampOf } from './source-identity.js';

/** What a lookup was built from. */
export interface LookupState {
  /** SHA-256 of the declaration. */
  readonly declaration: string;
  /** The `LAYER_FORMAT` of its layers. Absent: 2 or less. */
  readonly layerFormat?: number;
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

/** A state as it is stored. */
interface StoredState extends LookupState {
  /** The state that applies while the former lookup file is still in place. */
  readonly former?: LookupState | undefined;
}

export interface FileState {
  /** SHA-256 of the content. */
  readonly sha256: string;
  /** Absent if it cannot be trusted. */
  readonly stamp?: FileStamp;
}

/** Unused files younger than this are kept: another run may be about to use them. */
const UNUSED_MS = 24 * 60 * 60 * 1000;

/** An incomplete file, which {@link writeFileAtomically} names after its target. */
const PARTIAL = /^\.(.+\.(?:mmdb(?:\.gz)?|json))\.[^~]+~\d+~[^~]+\.partial$/;

/** What earlier runs built: a folder beside the lookups, which is rebuilt if deleted. */
export class SyncStates {
  private readonly folder: string;
  /** The layers' lookup files, each named by what it was built from. */
  readonly layers: string;

  /** @param lookups the folder of lookup files */
  constructor(private readonly lookups: string) {
    this.folder = join(lookups, '.sync');
    this.layers = join(this.folder, 'layers');
  }

  async prepare(): Promise<void> {
    await makeFolders(this.layers).catch((error: unknown) => {
      throw OutputFileError.from(this.layers, error);
    });
  }

  layerPath(key: string): string {
    return join(this.layers, `${key}.mmdb`);
  }

  /** Whether a layer is complete: its number of rows is written last. */
  async hasLayer(key: string): Promise<boolean> {
    return Promise.all([this.layerPath(key), this.rowsPath(key)].map(async (path) => stat(path))).then(
      () => true,
      () => false,
    );
  }

  /** Stores the number of rows that a layer was built from, beside it. */
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
      const { former, ...state } = JSON.parse(await readFile(this.pathOf(name), 'utf8')) as StoredState;
      const isFormer = former !== undefined && !(await this.holds(state)) && (await this.holds(former));
      return isFormer ? former : state;
    } catch {
      return undefined;
    }
  }

  async write(name: string, state: StoredState): Promise<void> {
    await this.writeJson(this.pathOf(name), state);
  }

  /** Stores the state that applies once the lookup file is replaced; until then, the current one applies. */
  async writeNext(name: string, state: LookupState): Promise<void> {
    await this.write(name, { ...state, former: await this.read(name) });
  }

  /** Whether a state describes the current lookup file. */
  private async holds({ file, stamp }: LookupState): Promise<boolean> {
    return isSameStamp(stamp, await stampOf(join(this.lookups, basename(file))).catch(() => undefined));
  }

  private async writeJson(path: string, value: object): Promise<void> {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
    };
    await writeFileAtomically(path, content(), { gzip: false });
  }

  /**
   * Removes files older than a day: states of lookups that are not declared, and layers that no lookup uses.
   * Incomplete files of killed runs are removed at once, since the same file may never be written again.
   *
   * @param declared names of lookups
   */
  async clean(now: number, declared: readonly string[]): Promise<void> {
    for (const folder of [this.lookups, this.folder, this.layers]) await removeIncomplete(folder);
    const used = new Set<string>();
    for (const file of await filesIn(this.folder)) {
      if (!file.endsWith('.json')) continue;
      const name = file.slice(0, -'.json'.length);
      if (!declared.includes(name) && (await removeIfLeft(join(this.folder, file), now))) continue;
      const state = await this.read(name);
      for (const key of state?.layers ?? []) if (key !== null) used.add(`${key}.mmdb`).add(`${key}.json`);
    }
    for (const file of await filesIn(this.layers))
      if (!used.has(file)) await removeIfLeft(join(this.layers, file), now);
  }

  private rowsPath(key: string): string {
    return join(this.layers, `${key}.json`);
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}

/** The folder need not exist. */
async function filesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function removeIncomplete(folder: string): Promise<void> {
  for (const file of await filesIn(folder)) {
    const target = PARTIAL.exec(file)?.[1];
    if (target !== undefined) await removeStale(folder, target);
  }
}

/** @returns true if it was removed */
async function removeIfLeft(path: string, now: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
  if (now - mtimeMs <= UNUSED_MS) return false;
  await rm(path, { force: true });
  return true;
}
