import { checkLibrary } from '../checks/check-library.js';
import type { DeclarationRules } from '../checks/declaration-rules.js';
import { findingText } from '../ports/library-finding.js';
import type { SourceEntry } from '../ports/library-source.js';

export const NO_RULES: DeclarationRules = { schemas: [], includes: [], sealed: [] };

/** Findings about files, by their texts. */
export async function findings(
  files: Readonly<Record<string, string>>,
  rules: Partial<DeclarationRules>,
  passed: ReadonlyMap<string, string> = new Map(),
): Promise<string[]> {
  const entries = Object.entries(files).map(([path, text]): SourceEntry => ({
    kind: 'file',
    path,
    data: Buffer.from(text),
  }));
  const options = {
    names: 'any',
    allowEmpty: false,
    maxBytes: 1 << 20,
    rules: { ...NO_RULES, ...rules },
  } as const;
  const { problems } = await checkLibrary(entries, options, undefined, passed);
  return problems.map(findingText);
}
