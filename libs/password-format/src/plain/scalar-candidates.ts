import { type DocumentScalar, LineIndex } from '../documents/document-scalar.js';
import type { Candidate } from './candidate.js';
import { looseText, wordSettings } from './text-candidates.js';

/** The keys of a name, and those of its value: `{name: DB_PASSWORD, value: hunter2}`. */
const NAME_KEYS = /^(name|key|variable|parameterkey|id)$/i;
const VALUE_KEYS = /^(value|val|parametervalue|stringvalue|default|defaultvalue)$/i;

/** Values whose key is the value of another one beside them, and arguments after an option: `["--password", "hunter2"]`. */
export function pairsIn(scalars: readonly DocumentScalar[]): Candidate[] {
  const names = new Map<string, string>();
  for (const { path, value } of scalars)
    if (NAME_KEYS.test(path.at(-1) ?? '') && isName(value)) names.set(parentOf(path), value);
  return scalars.flatMap((scalar, index) => {
    const { path, value, line, mark } = scalar;
    if (value === '' || mark === 'encpwd') return [];
    const last = path.at(-1) ?? '';
    const name = VALUE_KEYS.test(last) ? names.get(parentOf(path)) : optionBefore(scalars[index - 1], path);
    return name === undefined ? [] : [{ path: [...path.slice(0, -1), name], value, line }];
  });
}

const parentOf = (path: readonly string[]): string => JSON.stringify(path.slice(0, -1));

const isName = (value: string): boolean => /^[\w./:-]{1,128}$/.test(value);

/** The name of the option, if the item before this one is one without a value. */
function optionBefore(before: DocumentScalar | undefined, path: readonly string[]): string | undefined {
  const last = path.at(-1) ?? '';
  if (!before || !/^\d+$/.test(last) || parentOf(before.path) !== parentOf(path)) return undefined;
  return /^--?([A-Za-z][\w-]{0,63})$/.exec(before.value)?.[1];
}

/** Longer values are data. */
const MAX_SEARCHED = 262_144;

/** Settings within a value: `KEY=value`, `--key=value`, and the lines of a file in a value. */
export function partsOf({ path, value, line, offset, isText }: DocumentScalar, text: string): Candidate[] {
  if (!isText || value.length > MAX_SEARCHED || !/[=:\s]/.test(value)) return [];
  const isBlock = value.includes('\n');
  const parts = isBlock ? looseText(value, new LineIndex(value)) : wordSettings(value, ONE_LINE);
  const isLiteral = text[offset] === '|';
  return parts.map((part) => ({
    ...part,
    path: [...path, ...part.path],
    line: isLiteral ? line + part.line : line,
    isPart: true,
  }));
}

const ONE_LINE = { lineOf: () => 1 };
