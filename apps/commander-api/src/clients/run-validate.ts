import {
  DEFAULT_CAPABILITIES,
  readCapabilities,
  takesSecrets,
  type Capabilities,
} from '@svc/client-metadata';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { decodeUtf8, readFileAtMost } from '../files/read-at-most.js';
import { readDeclarationFiles, reasonOf } from './read-declaration-files.js';
import { findingText, validateDeclarations, type Validation } from './validate-declarations.js';

interface ValidateOptions {
  /** A saved response to GET /client/features. */
  readonly features?: string;
  /** Warnings fail as well. */
  readonly strict?: true;
}

/** Maximum size of a saved response. */
const MAX_FEATURES_BYTES = 16 * 1024 * 1024;

/** @throws {CommanderError} if a file cannot be read, or if there are problems, after printing them */
export async function runValidate(
  context: CommandContext,
  names: readonly string[],
  options: ValidateOptions,
): Promise<void> {
  const { capabilities, mayImportSecrets } = await loadFeatures(options.features, context);
  const files = await readDeclarationFiles(names, context);
  const validation = validateDeclarations(files, capabilities, mayImportSecrets);
  const { declarations, problems, warnings } = validation;
  const failed = problems.length > 0 || (options.strict === true && warnings.length > 0);
  context.answer({
    text: report(validation, files.length),
    value: { valid: !failed, clients: declarations.length, problems, warnings },
  });
  if (failed) throw new CommanderError('failed', summary(validation, files.length));
}

/** What a registry supports. */
export interface SupportedFeatures {
  readonly capabilities: Capabilities;
  readonly mayImportSecrets: boolean;
}

/** Reads a saved response; without a file, the values allowed by default are supported. */
export async function loadFeatures(
  file: string | undefined,
  context: CommandContext,
): Promise<SupportedFeatures> {
  if (file === undefined) return { capabilities: DEFAULT_CAPABILITIES, mayImportSecrets: false };
  try {
    const bytes = await readFileAtMost(file, MAX_FEATURES_BYTES, context);
    const features: unknown = JSON.parse(decodeUtf8(bytes));
    return { capabilities: readCapabilities(features), mayImportSecrets: takesSecrets(features) };
  } catch (error) {
    throw new CommanderError('failed', `--features ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

function report(validation: Validation, files: number): string {
  const lines = [
    ...validation.problems.map((finding) => findingText(finding)),
    ...validation.warnings.map((finding) => findingText(finding, 'warning: ')),
  ];
  return [...lines, ...(validation.problems.length > 0 ? [] : [summary(validation, files)])].join('\n');
}

function summary({ declarations, problems, warnings }: Validation, files: number): string {
  const found = [counted(problems.length, 'problem'), counted(warnings.length, 'warning')].join(', ');
  return `${counted(declarations.length, 'client')} in ${counted(files, 'file')}: ${found}`;
}
