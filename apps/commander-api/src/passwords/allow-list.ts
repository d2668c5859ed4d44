import { dirname, relative } from 'node:path';
import type { PlainPassword } from '@svc/password-format';
import { IgnoreList } from '@svc/library-sync';
import { configurationError } from '../errors/commander-error.js';
import { decodeUtf8, describeReadError, readAtMostSync } from '../files/read-at-most.js';

const MAX_BYTES = 1_048_576;

interface Entry {
  readonly paths: IgnoreList;
  /** Fingerprint of the one value that is allowed. */
  readonly fingerprint: string;
}

/**
 * What may be in plain text: each line has a gitignore pattern, and optionally the fingerprint of one value. Patterns are
 * relative to the folder of the list.
 */
export class AllowList {
  private readonly paths: IgnoreList;
  private readonly entries: readonly Entry[];

  /**
   * @param file the list's name; paths are relative to its folder
   * @throws {CommanderError} `configuration`
   */
  constructor(
    text: string,
    private readonly file = '',
  ) {
    const lines = text
      .split(/\r?\n/)
      .map((line, index) => ({ text: line.trim(), number: index + 1 }))
      .filter((line) => line.text !== '' && !line.text.startsWith('#'))
      .map((line) => ({ ...line, match: /^(.*\S)\s+([\w-]{16})$/.exec(line.text) }));
    const negated = lines.find(({ match }) => match?.[1]?.startsWith('!'));
    if (negated)
      throw configurationError(
        `${file}:${negated.number}: "!" takes a pattern without a fingerprint; leave the fingerprint out`,
      );
    // One list: the last pattern that matches a path decides, as in .gitignore.
    this.paths = new IgnoreList(lines.filter(({ match }) => !match).map((line) => line.text));
    this.entries = lines.flatMap(({ match }) =>
      match ? [{ paths: new IgnoreList([match[1]!]), fingerprint: match[2]! }] : [],
    );
  }

  /**
   * @param file its name; none allows nothing
   * @throws {CommanderError} `configuration` if it cannot be read
   */
  static read(file: string | undefined): AllowList {
    if (file === undefined) return new AllowList('');
    let text: string;
    try {
      text = decodeUtf8(readAtMostSync(file, MAX_BYTES));
    } catch (error) {
      throw configurationError(
        `${file}: the list of allowed values cannot be read: ${describeReadError(error)}`,
        error,
      );
    }
    return new AllowList(text, file);
  }

  /** A file's path as the patterns see it. */
  pathOf(file: string): string {
    return relative(dirname(this.file), file);
  }

  /** @param path relative to the list's folder */
  async allows(path: string, password: PlainPassword): Promise<boolean> {
    if (isListed(this.paths, path)) return true;
    const entries = this.entries.filter(({ paths }) => isListed(paths, path));
    // Slow, so only where an entry asks for it.
    if (entries.length === 0) return false;
    const own = await password.fingerprint();
    return entries.some(({ fingerprint }) => fingerprint === own);
  }
}

/** A pattern of a folder covers all that is below it. */
function isListed(list: IgnoreList, path: string): boolean {
  const names = path.split('/');
  return names.some((_name, index) => {
    const isFolder = index < names.length - 1;
    return list.ignores(names.slice(0, index + 1).join('/'), isFolder);
  });
}
