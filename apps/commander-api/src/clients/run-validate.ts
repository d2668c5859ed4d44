import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { DEFAULT_CAPABILITIES, readCapabilities, type Capabilities } from '@svc/client-metadata';
import type { CommandContext } from '../cli/command-context.js';
import { escapeLine } from '../cli/escape-controls.js';
import { CommandError, EXIT } from '../cli/exit-code.js';
import {
  validateDeclarations,
  type DeclarationFile,
  type Finding,
  type Validation,
} from './validate-declarations.js';

interface ValidateOptions {
  /** A saved answer of GET /client/features. */
  readonly features?: string;
  /** Warnings fail as well. */
  readonly strict?: true;
}

/** @throws {CommandError} when a file cannot be read, or when there is a problem; then the answer has been given */
export async function runValidate(
  context: CommandContext,
  names: readonly string[],
  options: ValidateOptions,
): Promise<void> {
  const capabilities = await loadCapabilities(options.features);
  const files = await readFiles([...new Set(names)]);
  const validation = validateDeclarations(files, capabilities);
  const { clients, problems, warnings } = validation;
  const failed = problems.length > 0 || (options.strict === true && warnings.length > 0);
  context.answer({
    text: report(validation, files.length),
    value: { valid: !failed, clients, problems, warnings },
  });
  if (failed) throw new CommandError(summary(validation, files.length), EXIT.failed);
}

async function loadCapabilities(file: string | undefined): Promise<Capabilities> {
  if (file === undefined) return DEFAULT_CAPABILITIES;
  try {
    return readCapabilities(JSON.parse(await readText(file)));
  } catch (error) {
    throw new CommandError(`--features ${file}: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

async function readFiles(names: readonly string[]): Promise<DeclarationFile[]> {
  const faults: string[] = [];
  const files: DeclarationFile[] = [];
  for (const name of names) {
    try {
      files.push({ name, text: await readText(name) });
    } catch (error) {
      faults.push(`${name}: cannot be read: ${reasonOf(error)}`);
    }
  }
  if (faults.length > 0) throw new CommandError(faults.join('\n'), EXIT.failed);
  return files;
}

async function readText(name: string): Promise<string> {
  const bytes = name === '-' ? await buffer(process.stdin) : await readFile(name);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8';
  return error instanceof Error ? error.message : String(error);
}

function report(validation: Validation, files: number): string {
  const lines = [
    ...validation.problems.map((finding) => lineOf(finding, '')),
    ...validation.warnings.map((finding) => lineOf(finding, 'warning: ')),
  ];
  return [...lines, ...(validation.problems.length > 0 ? [] : [summary(validation, files)])].join('\n');
}

function lineOf({ file, line, field, message }: Finding, kind: string): string {
  return escapeLine(`${file}:${line}: ${field === '' ? '' : `${field}: `}${kind}${message}`);
}

function summary({ clients, problems, warnings }: Validation, files: number): string {
  const found = [counted(problems.length, 'problem'), counted(warnings.length, 'warning')].join(', ');
  return `${counted(clients, 'Client')} in ${counted(files, 'file')}: ${found}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
