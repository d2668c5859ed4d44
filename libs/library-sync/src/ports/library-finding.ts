import { escapeLine } from '@svc/foundation';

/** A finding about a library, with its location. */
export interface LibraryFinding {
  /** `error` stops a load before its first write. */
  readonly severity: 'error' | 'warning' | 'note';
  /** Path relative to the library's root; empty for the library as a whole. */
  readonly path: string;
  /** 1-based; only for problems inside a file. */
  readonly line?: number;
  /** 1-based, in characters. */
  readonly column?: number;
  /** Stable name of the rule, such as `yaml-duplicate-key`. */
  readonly code: string;
  readonly message: string;
}

/** `Parsers/ssh.yaml:3:5: error: the key "name" occurs twice` */
export function findingText({ severity, path, line, column, message }: LibraryFinding): string {
  const place = [path || '(library)', line, column].filter((part) => part !== undefined).join(':');
  return escapeLine(`${place}: ${severity}: ${message}`);
}

/** The library cannot be loaded as it is. Nothing was written. */
export class InvalidLibraryError extends Error {
  override readonly name: string = 'InvalidLibraryError';

  /** @param findings all of them, including warnings */
  constructor(readonly findings: readonly LibraryFinding[]) {
    const errors = findings.filter(({ severity }) => severity === 'error');
    const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
    super(`the library has ${count}; nothing was written:\n${errors.map(findingText).join('\n')}`);
  }
}

/** Other clients' nodes are in the way: the same revision can be loaded once they are gone. */
export class BlockedLibraryError extends InvalidLibraryError {
  override readonly name = 'BlockedLibraryError';
}
