/** Something about a library that people should know, and where. */
export interface LibraryProblem {
  /** `error` stops a load before its first write. */
  readonly severity: 'error' | 'warning' | 'note';
  /** Path relative to the library's root; empty for the library as a whole. */
  readonly path: string;
  /** From 1, for problems inside a file. */
  readonly line?: number;
  /** From 1, in characters. */
  readonly column?: number;
  /** Stable name of the rule, such as `yaml-duplicate-key`. */
  readonly code: string;
  readonly message: string;
}

/** `Parsers/ssh.yaml:3:5: error: the key "name" is there twice` */
export function problemText({ severity, path, line, column, message }: LibraryProblem): string {
  const place = [path || '(library)', line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${severity}: ${message}`;
}

/** The library cannot be loaded as it is. Nothing was written. */
export class InvalidLibraryError extends Error {
  override readonly name = 'InvalidLibraryError';

  /** @param problems all of them, warnings too */
  constructor(readonly problems: readonly LibraryProblem[]) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
    super(`the library has ${count}; nothing was written:\n${errors.map(problemText).join('\n')}`);
  }
}
