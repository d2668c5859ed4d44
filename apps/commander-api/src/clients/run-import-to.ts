import { takesSecrets } from '@svc/client-metadata';
import type { Product } from '@svc/client-metadata/conversion';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { capabilitiesIn } from './apply-declarations.js';
import { importSummary, lossLines } from './import-text.js';
import { withRegistry } from './open-registry.js';
import { applyFiles } from './run-apply.js';
import { assertUsable, convertFile, type ImportFlags, nameOfInput, refuseInvalid } from './run-import.js';

/**
 * Imports the Clients of another product's export into a registry, converted to what it supports. Invalid ones are left out.
 *
 * @throws {CommanderError} also when a Client is invalid; then the others have been imported
 */
export async function runImportTo(
  context: CommandContext,
  product: Product,
  name: string,
  flags: ImportFlags,
): Promise<void> {
  assertUsable(flags);
  const { dryRun, withSecrets = false, to, set, takeOver, secretsTo } = flags;
  const file = nameOfInput(name);
  const use: Parameters<typeof withRegistry<void>>[1] = async (registry) => {
    const features = await registry.features();
    if (withSecrets && !takesSecrets(features)) {
      const remedy = 'set SECRET_IMPORT=allowed there, or leave out --with-secrets';
      throw new CommanderError('failed', `${registry.place} does not import client secrets; ${remedy}`);
    }
    const capabilities = capabilitiesIn(features);
    const conversion = await convertFile(context, product, name, { capabilities, withSecrets });
    const { clients } = conversion;
    for (const line of clients.flatMap((client) => lossLines(file, client))) context.note(line);
    context.note(importSummary(clients));
    const records = clients.flatMap(({ declaration }) => (declaration ? [JSON.stringify(declaration)] : []));
    // As if written to a file: line numbers in messages count the imported Clients.
    const declared = { name: `${file} as declarations.ndjson`, text: records.join('\n') };
    if (records.length > 0) {
      await applyFiles(context, registry, [declared], {
        ...(dryRun && { dryRun }),
        ...(set !== undefined && { set }),
        ...(takeOver && { takeOver }),
        ...(secretsTo !== undefined && { secretsTo }),
      });
    }
    refuseInvalid(file, conversion);
  };
  await withRegistry(context, use, to);
}
