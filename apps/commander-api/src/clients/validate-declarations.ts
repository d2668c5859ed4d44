import { judgeImport, type Capabilities, type Problem } from '@svc/client-metadata';
import { parseDeclarations, parseNdjson, type Declaration } from './parse-declarations.js';

/** A file of declarations, read. */
export interface DeclarationFile {
  readonly name: string;
  readonly text: string;
}

/** A problem or a warning and its place. */
export interface Finding extends Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export interface Validation {
  /** How many Clients the files declare. */
  readonly clients: number;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Judges all declarations of all files: each by itself, and that no two have the same client_id. */
export function validateDeclarations(
  files: readonly DeclarationFile[],
  capabilities: Capabilities,
): Validation {
  const problems: Finding[] = [];
  const warnings: Finding[] = [];
  const declared = new Map<string, string>();
  let clients = 0;
  for (const file of files) {
    const { declarations, faults } = isNdjson(file.name)
      ? parseNdjson(file.text)
      : parseDeclarations(file.text);
    problems.push(...faults.map((fault) => ({ file: file.name, field: '', code: 'syntax', ...fault })));
    if (declarations.length === 0 && faults.length === 0) {
      problems.push({
        file: file.name,
        line: 1,
        field: '',
        code: 'empty',
        message: 'the file declares no Client',
      });
    }
    clients += declarations.length;
    for (const declaration of declarations) {
      const place = (problem: Problem): Finding => ({
        file: file.name,
        line: declaration.lineOf(problem.field),
        ...problem,
      });
      const judgement = judgeImport(declaration.value, capabilities);
      const found = judgement.valid ? [] : judgement.problems;
      problems.push(...[...found, ...doubleId(declaration, file.name, declared)].map(place));
      warnings.push(...judgement.warnings.map(place));
    }
  }
  return { clients, problems, warnings };
}

function doubleId({ value, lineOf }: Declaration, file: string, declared: Map<string, string>): Problem[] {
  const field = ['/client_id', '/preferred_client_id'].find(
    (pointer) => typeof idAt(value, pointer) === 'string',
  );
  const id = field === undefined ? undefined : idAt(value, field);
  if (field === undefined || typeof id !== 'string') return [];
  const first = declared.get(id);
  if (first !== undefined)
    return [{ field, code: 'duplicate', message: `this id is declared already in ${first}` }];
  declared.set(id, `${file}:${lineOf(field)}`);
  return [];
}

function idAt(value: unknown, pointer: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(pointer.slice(1)) as unknown;
}

function isNdjson(name: string): boolean {
  return /\.(ndjson|jsonl)$/i.test(name);
}
