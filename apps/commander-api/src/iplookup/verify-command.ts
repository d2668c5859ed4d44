import { type FileVerification, type VerifyAgainst, verifyLookupFile } from '@svc/iplookup-core';
import type { CommandContext } from '../command-line/command-context.js';
import { CommandError, EXIT } from '../errors/command-error.js';
import { splitColumnNames, toBuildOptions, type VerifyFlags } from './build-flags.js';
import { orCommandError } from './iplookup-failure.js';
import { inputPath, lookupPath } from './lookup-paths.js';

/** `svccmd iplookup verify` */
export async function verify(context: CommandContext, lookup: string, flags: VerifyFlags): Promise<void> {
  const path = lookupPath(context.config, lookup);
  const found = await orCommandError(() => verifyLookupFile(path, toAgainst(context, flags)));
  const { problems, problemCount, warnings, records, comparison } = found;
  context.answer({
    text: verificationText(path, found),
    value: { file: path, valid: problemCount === 0, problems, problemCount, warnings, records, comparison },
  });
  if (problemCount > 0) throw new CommandError(`${path} is not a sound lookup file`);
  if (comparison && comparison.differenceCount > 0)
    throw new CommandError(`${path} differs from ${flags.against}`);
}

function toAgainst(
  context: CommandContext,
  { against, vendor, ...flags }: VerifyFlags,
): VerifyAgainst | undefined {
  if (against === undefined) return undefined;
  if (against === '-') throw new CommandError('--against takes a file, not standard input', EXIT.usage);
  const { columnNames } = splitColumnNames(against, flags.columnNames);
  const { kind: _, ...options } = toBuildOptions(
    'csv',
    { ...flags, ...(columnNames === undefined ? {} : { columnNames }) },
    0,
  );
  return {
    ...options,
    ...(vendor === true ? { kind: 'vendor' } : {}),
    lookupName: 'verified',
    input: inputPath(context.config(), against),
  };
}

function verificationText(path: string, found: FileVerification): string {
  const { metadata, problems, problemCount, warnings, records, comparison } = found;
  const lines = [`${path}`];
  if (metadata)
    lines.push(`lookup ${metadata.databaseType}: ${records} records, ${metadata.nodeCount} nodes`);
  lines.push(...problems.map((problem) => `problem: ${problem}`));
  if (problemCount > problems.length) lines.push(`... and ${problemCount - problems.length} more problems`);
  lines.push(...warnings.map((warning) => `warning: ${warning}`));
  if (comparison) {
    const { rows, addresses, differences, differenceCount } = comparison;
    lines.push(`compared ${addresses} addresses of ${rows} rows: ${differenceCount} differ`);
    lines.push(...differences.map((difference) => `differs: ${difference}`));
  }
  if (problemCount === 0 && !comparison?.differenceCount) lines.push('sound');
  return lines.join('\n');
}
