import { judgeImport, type Capabilities, type ClientMetadata, type Problem } from '@svc/client-metadata';
import { escapeLine } from '../command-line/text.js';
import { parseDeclarations, parseNdjson, type Declaration } from './parse-declarations.js';
import { type DeclarationFile, isNdjson } from './read-declaration-files.js';

/** A problem or a warning and its place. */
export interface Finding extends Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A declaration, where it stands, and what comes of it. */
export interface JudgedDeclaration extends Declaration {
  readonly file: string;
  /** Under which it is, or shall be, registered; undefined when the registry shall choose. */
  readonly clientId: string | undefined;
  /** Complete, with defaults; undefined when there is a problem. */
  readonly metadata: ClientMetadata | undefined;
}

export interface Validation {
  readonly declarations: readonly JudgedDeclaration[];
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Judges all declarations of all files: each by itself, and that no two have the same client_id. */
export function validateDeclarations(
  files: readonly DeclarationFile[],
  capabilities: Capabilities,
): Validation {
  const declarations: JudgedDeclaration[] = [];
  const problems: Finding[] = [];
  const warnings: Finding[] = [];
  const declared = new Map<string, string>();
  for (const { name, text } of files) {
    const parsed = isNdjson(name) ? parseNdjson(text) : parseDeclarations(text);
    problems.push(...parsed.faults.map((fault) => ({ file: name, field: '', code: 'syntax', ...fault })));
    if (parsed.declarations.length === 0 && parsed.faults.length === 0) problems.push(emptiness(name));
    for (const declaration of parsed.declarations) {
      const place = placeIn({ ...declaration, file: name });
      const judgement = judgeImport(declaration.value, capabilities);
      const found = judgement.valid ? [] : judgement.problems;
      problems.push(...[...found, ...doubleId(declaration, name, declared)].map(place));
      warnings.push(...judgement.warnings.map(place));
      declarations.push({
        ...declaration,
        file: name,
        clientId: idIn(declaration.value)?.id,
        metadata: judgement.valid ? judgement.metadata : undefined,
      });
    }
  }
  return { declarations, problems, warnings };
}

/** Says where in a file each problem of a declaration stands. */
export function placeIn({
  file,
  lineOf,
}: Pick<JudgedDeclaration, 'file' | 'lineOf'>): (problem: Problem) => Finding {
  return (problem) => ({ file, line: lineOf(problem.field), ...problem });
}

function emptiness(file: string): Finding {
  return { file, line: 1, field: '', code: 'empty', message: 'the file declares no Client' };
}

function doubleId({ value, lineOf }: Declaration, file: string, declared: Map<string, string>): Problem[] {
  const found = idIn(value);
  if (!found) return [];
  const { field, id } = found;
  const first = declared.get(id);
  if (first !== undefined)
    return [{ field, code: 'duplicate', message: `this id is declared already in ${first}` }];
  declared.set(id, `${file}:${lineOf(field)}`);
  return [];
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

/** One line: place, field and what is wrong there. */
export function findingText({ file, line, field, message }: Finding, kind = ''): string {
  return escapeLine(`${file}:${line}: ${field === '' ? '' : `${field}: `}${kind}${message}`);
}
