import { escapeLines } from '@svc/foundation';
import type { CommandContext } from '../../command-line/command-context.js';
import { CommanderError } from '../../errors/commander-error.js';
import { buildEpoch } from '../build/build-flags.js';
import { explainLookup } from './explain-lookup.js';
import { cleanFetched, fetchSources } from './fetch-sources.js';
import { currentUser } from '../../command-line/current-user.js';
import { guardNotes } from '../build/guard-text.js';
import { manifestTool } from '../build/manifest-tool.js';
import { lookupFolder } from '../files/lookup-paths.js';
import type { LookupDeclaration } from './lookup-declaration.js';
import { readLookupDeclarations, sourcePaths } from './read-lookup-declarations.js';
import { SyncStates } from './sync-state.js';
import { planLookup, type SyncedLookup, syncLookup } from './sync-lookups.js';

export interface SyncFlags {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** `svccmd iplookup sync` */
export async function sync(
  context: CommandContext,
  names: readonly string[],
  flags: SyncFlags,
): Promise<void> {
  const config = context.config();
  const declared = readLookupDeclarations(config);
  const declarations = chosen(declared, names);
  const options = {
    folder: lookupFolder(config),
    buildEpoch: buildEpoch(context.env, Date.now()),
    keepVersions: context.config().iplookup.keep_versions,
    forcedBy: flags.force === true ? currentUser() : undefined,
    manifestTool: manifestTool(config),
    signal: context.signal,
    onStep: context.note,
  };
  const run = flags.dryRun === true ? planLookup : syncLookup;
  const results: SyncedLookup[] = [];
  const failures: string[] = [];
  for (const declaration of declarations) {
    try {
      const { folder, signal, onStep } = options;
      if (flags.dryRun !== true) await fetchSources(declaration, config, folder, signal, onStep);
      const result = await run(declaration, { ...options, paths: sourcePaths(config, declaration) });
      for (const note of [...(result.notes ?? []), ...guardNotes(result)])
        context.note(`${declaration.name}: ${note}`);
      results.push(result);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof CommanderError)) throw error;
      failures.push(`${declaration.name}: ${error.message}`);
    }
  }
  if (flags.dryRun !== true) {
    const names = declared.map(({ name }) => name);
    await new SyncStates(options.folder).clean(Date.now(), names);
    await cleanFetched(options.folder, declared, Date.now());
  }
  context.answer({ text: results.map(lineOf).join('\n'), value: { lookups: results, failures } });
  // One lookup's broken source must not keep the others from being built.
  if (failures.length > 0)
    throw new CommanderError('failed', [
      ...failures.flatMap((lines) => lines.split('\n')),
      ...(flags.dryRun === true ? [] : ['lookups that could not be built were left as they were']),
    ]);
}

/** `svccmd iplookup explain` */
export async function explain(context: CommandContext, lookup: string, address: string): Promise<void> {
  const config = context.config();
  const [declaration] = chosen(readLookupDeclarations(config), [lookup]);
  const values = await explainLookup(declaration!, address, {
    folder: lookupFolder(config),
    paths: sourcePaths(config, declaration!),
    signal: context.signal,
  });
  const lines = values.map(
    ({ column, value, source, line }) =>
      `${column}: ${typeof value === 'string' ? value : JSON.stringify(value)}  (${source}${line === undefined ? '' : `:${line}`})`,
  );
  context.answer({
    text: lines.length === 0 ? `${address}: no record` : escapeLines(lines),
    value: { lookup, ip: address, values },
  });
}

function lineOf({ lookup, result, reasons, bytes, records }: SyncedLookup): string {
  const why = reasons.length > 0 ? `: ${reasons.join(', ')}` : '';
  const size = result === 'built' ? ` (${records} records, ${bytes} bytes)` : '';
  return `${lookup}  ${result}${size}${why}`;
}

function chosen(
  declarations: readonly LookupDeclaration[],
  names: readonly string[],
): readonly LookupDeclaration[] {
  const unknown = names.find((name) => !declarations.some((lookup) => lookup.name === name));
  if (unknown !== undefined) {
    const known = declarations.map(({ name }) => name).join(', ');
    throw new CommanderError(
      'usage',
      `no lookup ${JSON.stringify(unknown)} is declared; declared lookups: ${known}`,
    );
  }
  return names.length === 0 ? declarations : declarations.filter(({ name }) => names.includes(name));
}
