import type { RegistryClient } from '@svc/registry-client';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { confirm } from '../command-line/confirm.js';
import { counted } from '../command-line/text.js';
import { applyText } from './apply-text.js';
import {
  type ApplyOptions,
  type ApplyPlan,
  type ApplyReport,
  planApply,
  runPlan,
} from './apply-declarations.js';
import { findingText } from './validate-declarations.js';
import { withRegistry } from './open-registry.js';
import { type DeclarationFile, readDeclarationFiles } from './read-declaration-files.js';
import { type IssuedSecret, withSecretsFile } from './print-secrets.js';

export interface ApplyFlags {
  readonly dryRun?: true;
  readonly exitCode?: true;
  readonly prune?: true;
  readonly set?: string;
  readonly takeOver?: true;
  readonly yes?: true;
  readonly secretsTo?: string;
}

/** @throws {CommanderError} */
export async function runApply(
  context: CommandContext,
  names: readonly string[],
  flags: ApplyFlags,
): Promise<void> {
  const { dryRun = false, prune = false, set } = flags;
  if (flags.exitCode && !dryRun) throw new CommanderError('usage', '--exit-code requires --dry-run');
  if (prune && set === undefined) {
    throw new CommanderError('usage', '--prune requires --set: it deletes only clients of the set');
  }
  const files = await readDeclarationFiles(names, context);
  await withRegistry(context, async (registry) => applyFiles(context, registry, files, flags));
}

/** Applies declarations that have been read, and prints the result. @throws {CommanderError} */
export async function applyFiles(
  context: CommandContext,
  registry: RegistryClient,
  files: readonly DeclarationFile[],
  flags: ApplyFlags,
): Promise<void> {
  const { dryRun = false, prune = false, set, takeOver = false } = flags;
  const options = { dryRun, prune, set, takeOver };
  const plan = await planApply(registry, files);
  for (const warning of plan.warnings) context.note(findingText(warning, 'warning: '));
  if (dryRun) return answer(context, await runPlan(registry, plan, options), flags);
  const expectedDeleted =
    prune && !flags.yes ? await confirmDeletions(context, registry, plan, options) : undefined;
  const report = await withSecretsFile(
    flags.secretsTo,
    async () => runPlan(registry, plan, { ...options, expectedDeleted }),
    secretsIn,
  );
  answer(context, report, flags);
}

function answer(context: CommandContext, applied: ApplyReport, { exitCode, secretsTo }: ApplyFlags): void {
  const secrets = secretsIn(applied);
  const report = secretsTo === undefined ? applied : withoutSecrets(applied);
  context.answer({ text: applyText(report), value: report });
  if (secretsTo !== undefined && secrets.length > 0) {
    context.note(`${counted(secrets.length, 'secret')} written to ${secretsTo}`);
  }
  if (exitCode && applied.created + applied.updated + applied.deleted > 0) {
    throw new CommanderError('failed', 'the registry differs from the files');
  }
}

/** If anything would be deleted, shows the plan and asks for confirmation. @returns how many Clients */
async function confirmDeletions(
  context: CommandContext,
  registry: RegistryClient,
  plan: ApplyPlan,
  options: ApplyOptions,
): Promise<number> {
  const planned = await runPlan(registry, plan, { ...options, dryRun: true });
  if (planned.deleted === 0) return 0;
  for (const line of applyText(planned).split('\n')) context.note(line);
  const question = `delete ${counted(planned.deleted, 'client')} of the set that no file declares, and apply the other changes`;
  await confirm(context, { question, given: false });
  return planned.deleted;
}

function secretsIn({ clients }: ApplyReport): IssuedSecret[] {
  return clients.flatMap(({ client_id, client_secret }) =>
    client_secret === undefined ? [] : [{ client_id, client_secret }],
  );
}

function withoutSecrets(report: ApplyReport): ApplyReport {
  return { ...report, clients: report.clients.map(({ client_secret: _, ...client }) => client) };
}
