import {
  type Capabilities,
  type ClientMetadata,
  IMPORTED_SECRET_FIELDS,
  validateImport,
  type Violation,
} from '@svc/client-metadata';
import { escapeLine } from '@svc/foundation';
import { parseDeclarations, parseNdjson, type Declaration } from '../files/parse-declarations.js';
import { type DeclarationFile, isNdjson } from './read-declaration-files.js';

/** A problem or a warning and its place. */
export interface Finding extends Violation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A declaration, its place and its metadata. */
export interface ValidatedDeclaration extends Declaration {
  readonly file: string;
  /** Its client_id; undefined if the registry is to choose one. */
  readonly clientId: string | undefined;
  /** Complete, with defaults; undefined if invalid. */
  readonly metadata: ClientMetadata | undefined;
}

export interface Validation {
  readonly declarations: readonly ValidatedDeclaration[];
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Validates all declarations of all files, and that no two have the same client_id.
 *
 * @param takesSecrets whether they may contain secrets; only the registry checks their strength and the cost of their hashes
 */
export function validateDeclarations(
  files: readonly DeclarationFile[],
  capabilities: Capabilities,
  takesSecrets = false,
): Validation {
  const declarations: ValidatedDeclaration[] = [];
  const problems: Finding[] = [];
  const warnings: Finding[] = [];
  const declared = new Map<string, string>();
  const carried = takesSecrets ? IMPORTED_SECRET_FIELDS : [];
  for (const { name, text } of files) {
    const parsed = isNdjson(name) ? parseNdjson(text) : parseDeclarations(text);
    problems.push(...parsed.errors.map((error) => ({ file: name, field: '', code: 'syntax', ...error })));
    if (parsed.declarations.length === 0 && parsed.errors.length === 0) problems.push(emptiness(name));
    for (const declaration of parsed.declarations) {
      const place = placeIn({ ...declaration, file: name });
      const validation = validateImport(declaration.value, capabilities, { carried });
      const found = validation.valid ? [] : validation.violations;
      const secrets = takesSecrets ? secretViolations(declaration.value) : [];
      problems.push(...[...found, ...secrets, ...doubleId(declaration, name, declared)].map(place));
      warnings.push(...validation.warnings.map(place));
      declarations.push({
        ...declaration,
        file: name,
        clientId: idIn(declaration.value)?.id,
        metadata: validation.valid ? validation.metadata : undefined,
      });
    }
  }
  return { declarations, problems, warnings };
}

/** Adds the place in the file to problems of a declaration. */
export function placeIn({
  file,
  lineOf,
}: Pick<ValidatedDeclaration, 'file' | 'lineOf'>): (problem: Violation) => Finding {
  return (problem) => ({ file, line: lineOf(problem.field), ...problem });
}

function emptiness(file: string): Finding {
  return { file, line: 1, field: '', code: 'empty', message: 'the file declares no client' };
}

function doubleId({ value, lineOf }: Declaration, file: string, declared: Map<string, string>): Violation[] {
  const found = idIn(value);
  if (!found) return [];
  const { field, id } = found;
  const first = declared.get(id);
  if (first !== undefined)
    return [{ field, code: 'duplicate', message: `this id is already declared at ${first}` }];
  declared.set(id, `${file}:${lineOf(field)}`);
  return [];
}

/** No message contains a secret. */
function secretViolations(value: unknown): Violation[] {
  const members = new Map<string, unknown>(Object.entries(value ?? {}));
  const given = IMPORTED_SECRET_FIELDS.filter((name) => (members.get(name) ?? undefined) !== undefined);
  const violations = given
    .filter((name) => typeof members.get(name) !== 'string')
    .map((name) => ({ field: `/${name}`, code: 'type', message: `${name} must be a string` }));
  if (given.length < 2) return violations;
  const [first, second] = given;
  const message = `${second} cannot be given with ${first}`;
  return [...violations, { field: `/${second}`, code: 'combination', message }];
}

function idIn(value: unknown): { readonly field: string; readonly id: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  for (const name of ['client_id', 'preferred_client_id']) {
    const id = members.get(name);
    if (typeof id === 'string') return { field: `/${name}`, id };
  }
  return undefined;
}

/** One line with place, field and message. */
export function findingText({ file, line, field, message }: Finding, kind = ''): string {
  return escapeLine(`${file}:${line}: ${field === '' ? '' : `${field}: `}${kind}${message}`);
}
