import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type BuildOptions,
  buildLookup,
  type GuardOutcome,
  LookupGuardError,
  mergeLookupFiles,
} from '@svc/iplookup-core';
import { CommanderError } from '../errors/commander-error.js';
import { toBuildOptions } from './build-flags.js';
import { toGuards } from './guard-flags.js';
import { guardRefusal } from './guard-text.js';
import { withLookupErrors } from './iplookup.errors.js';
import type { LayerDeclaration, LookupDeclaration } from './parse-lookup-declarations.js';
import { type FileStamp, isSameStamp, isSettled, modifiedMs, sha256Of, stampOf } from './source-identity.js';
import { type LayerState, type LookupState, SyncStates } from './sync-state.js';

export interface SyncOptions {
  /** The folder of lookup files. */
  readonly folder: string;
  /** The path of each layer's source. */
  readonly paths: Readonly<Record<string, string>>;
  /** Marks incomplete files. Default: random. */
  readonly writer?: string | undefined;
  /** Seconds since 1970, written into lookups that are built. */
  readonly buildEpoch: number;
  /** How many former versions of each lookup to keep. */
  readonly keepVersions: number;
  /** Who replaces former lookups even if guards fail. */
  readonly forcedBy?: string | undefined;
  readonly signal: AbortSignal;
  /** Tells what happens next, in one line. */
  readonly onStep: (line: string) => void;
}

/** What a run did about a lookup, or would do. */
export interface SyncedLookup {
  readonly lookup: string;
  /** `outdated`: a dry run would build it. */
  readonly result: 'unchanged' | 'built' | 'outdated';
  /** Why it is built: what changed since the last run. */
  readonly reasons: readonly string[];
  readonly sources: readonly SyncedSource[];
  /** Unless it is outdated. */
  readonly file?: string;
  readonly bytes?: number;
  readonly records?: number;
  readonly guards?: readonly GuardOutcome[];
  /** Who replaced the former lookup although guards failed. */
  readonly forcedBy?: string;
}

/** A layer's source. */
export interface SyncedSource {
  readonly source: string;
  /** When it was modified: ISO 8601. */
  readonly modified: string;
}

/** Changes when the same source would give another layer. */
const LAYER_FORMAT = 1;

/**
 * Finds out whether a lookup is up to date, without reading its sources.
 *
 * @throws {CommanderError} if a source does not exist
 */
export async function planLookup(
  declaration: LookupDeclaration,
  options: SyncOptions,
): Promise<SyncedLookup> {
  const found = await compare(declaration, new SyncStates(options.folder), options);
  return found.reasons.length > 0
    ? { ...summaryOf(declaration, found), result: 'outdated' }
    : unchanged(declaration, found);
}

/**
 * Builds a lookup if it is out of date. Layers whose source and options are as before are not read again, but taken from
 * the last run. The former lookup stays in place until the new one is complete.
 *
 * @throws {CommanderError}
 */
export async function syncLookup(
  declaration: LookupDeclaration,
  options: SyncOptions,
): Promise<SyncedLookup> {
  const states = new SyncStates(options.folder);
  const found = await compare(declaration, states, options);
  const { former, stamps } = found;
  if (found.reasons.length === 0) return unchanged(declaration, found);
  return withLookupErrors(async () => {
    await states.prepare();
    const layers: LayerState[] = [];
    for (const [index, layer] of declaration.layers.entries()) {
      const build = new LayerBuild(layer, stamps[index]!, states, options);
      layers.push(await build.run(former?.layers[index]));
    }
    const built = await merge(declaration, layers, states, options).catch(withRemedy);
    return { ...summaryOf(declaration, found), result: 'built', ...built };
  });
}

/** A lookup's declaration and sources against what the last run built. */
interface Comparison {
  readonly former: LookupState | undefined;
  /** Of each layer's source. */
  readonly stamps: readonly FileStamp[];
  readonly reasons: readonly string[];
}

function summaryOf(
  { name, layers }: LookupDeclaration,
  { stamps, reasons }: Comparison,
): Omit<SyncedLookup, 'result'> {
  const sources = layers.map(({ source }, index) => ({
    source,
    modified: new Date(modifiedMs(stamps[index]!)).toISOString(),
  }));
  return { lookup: name, reasons, sources };
}

function unchanged(declaration: LookupDeclaration, found: Comparison): SyncedLookup {
  const { file, bytes, records } = found.former!;
  return { ...summaryOf(declaration, found), result: 'unchanged', file, bytes, records };
}

async function compare(
  declaration: LookupDeclaration,
  states: SyncStates,
  { folder, paths }: SyncOptions,
): Promise<Comparison> {
  const former = await states.read(declaration.name);
  const stamps: FileStamp[] = [];
  for (const { source } of declaration.layers) stamps.push(await stampOf(paths[source]!));
  if (former === undefined) return { former, stamps, reasons: ['it was never built'] };
  const file = await stampOf(fileOf(folder, declaration)).catch(() => undefined);
  const reasons = declaration.layers.flatMap(({ source }, index) =>
    isSameStamp(former.layers[index]?.stamp, stamps[index]) ? [] : [`${source} changed`],
  );
  if (former.declaration !== digest(contentOf(declaration))) reasons.unshift('its declaration changed');
  else if (file === undefined) reasons.unshift('its file is missing');
  else if (!isSameStamp(former.stamp, file)) reasons.unshift('its file was replaced');
  return { former, stamps, reasons };
}

function withRemedy(error: unknown): never {
  throw error instanceof LookupGuardError ? guardRefusal(error) : error;
}

async function merge(
  declaration: LookupDeclaration,
  layers: readonly LayerState[],
  states: SyncStates,
  { folder, paths, writer, buildEpoch, keepVersions, forcedBy, signal, onStep }: SyncOptions,
): Promise<Partial<SyncedLookup>> {
  const { name, gzip } = declaration;
  onStep(`${name}: merging ${layers.length} layers`);
  const file = fileOf(folder, declaration);
  const {
    bytes,
    records,
    guards,
    forcedBy: forced,
  } = await mergeLookupFiles({
    layers: declaration.layers.map(({ source, merge: rule }, index) => {
      const { key } = layers[index]!;
      return { path: key === undefined ? paths[source]! : states.layerPath(key), merge: rule };
    }),
    file,
    gzip,
    lookupName: name,
    description: `${name}: IP lookup`,
    buildEpoch,
    guards: declaration.guards === false ? undefined : toGuards({ guards: true, ...declaration.guards }),
    forcedBy,
    keepVersions,
    writer,
    signal,
  });
  await states.write(name, {
    declaration: digest(contentOf(declaration)),
    layers,
    file,
    stamp: await stampOf(file),
    bytes,
    records,
  });
  return { file, bytes, records, guards, ...(forced !== undefined && { forcedBy: forced }) };
}

/** Builds one layer, unless an earlier run did. */
class LayerBuild {
  private readonly path: string;

  constructor(
    private readonly layer: LayerDeclaration,
    private readonly stamp: FileStamp,
    private readonly states: SyncStates,
    private readonly options: SyncOptions,
  ) {
    this.path = options.paths[layer.source]!;
  }

  async run(former: LayerState | undefined): Promise<LayerState> {
    const isSame = former !== undefined && isSameStamp(former.stamp, this.stamp);
    const sha256 = isSame ? former.sha256 : await sha256Of(this.path, this.options.signal);
    const key = this.layer.kind === 'lookup' ? undefined : this.keyOf(sha256);
    if (key !== undefined && !(await this.states.hasLayer(key))) await this.build(key);
    if (!isSame && !isSameStamp(await stampOf(this.path), this.stamp)) {
      const message = `${this.layer.source} changed while it was read: run it again`;
      throw new CommanderError('unusable_input', message);
    }
    return {
      sha256,
      ...(isSettled(this.stamp, Date.now()) && { stamp: this.stamp }),
      ...(key !== undefined && { key }),
    };
  }

  /** Names a layer by all that it depends on: a vendor's file name determines the columns. */
  private keyOf(sha256: string): string {
    const { source, kind, flags } = this.layer;
    return digest([LAYER_FORMAT, sha256, kind, source.replace(/^.*[/\\]/, ''), flags]).slice(0, 40);
  }

  private async build(key: string): Promise<void> {
    const { layer, path, states, options } = this;
    options.onStep(`reading ${layer.source}`);
    await buildLookup({
      ...toBuildOptions(layer.kind as BuildOptions['kind'], layer.flags, 0),
      input: path,
      inputName: layer.source,
      folder: states.layers,
      lookupName: key,
      ...(options.writer !== undefined && { writer: options.writer }),
      signal: options.signal,
    });
  }
}

function fileOf(folder: string, { name, gzip }: LookupDeclaration): string {
  return join(folder, `${name}.mmdb${gzip ? '.gz' : ''}`);
}

/** Guards only decide whether a lookup is replaced. */
function contentOf({ guards, ...content }: LookupDeclaration): unknown {
  return content;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
