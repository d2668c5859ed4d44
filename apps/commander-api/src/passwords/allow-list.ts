import { relative, dirname } from 'node:path';
import type { PlainPassword } from '@svc/password-format';
import { IgnoreList } from '@svc/library-sync';
import { decodeUtf8, describeReadError, readAtMostSync } from '../files/read-at-most.js';
import { configurationError } from './read-key-file.js';

const MAX_BYTES = 1_048_576;

interface Entry {
  readonly paths: IgnoreList;
  /** Of the one value that is allowed; every value if absent. */
  readonly fingerprint: string | undefined;
}

/** What may be in plain text: lines with a gitignore pattern of paths, and optionally the fingerprint of one value. */
export class AllowList {
  private readonly entries: readonly Entry[];

  constructor(text: string) {
    this.entries = text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, pattern = line, fingerprint] = /^(.*\S)\s+([\w-]{16})$/.exec(line) ?? [];
        return { paths: new IgnoreList([pattern]), fingerprint };
      });
  }

  /**
   * @param file its name; none allows nothing
   * @throws {CommanderError} `configuration` if it cannot be read
   */
  static read(file: string | undefined): AllowList {
    if (file === undefined) return new AllowList('');
    try {
      return new AllowList(decodeUtf8(readAtMostSync(file, MAX_BYTES)));
    } catch (error) {
      throw configurationError(
        `${file}: the list of allowed values cannot be read: ${describeReadError(error)}`,
        error,
      );
    }
  }

  /** @param path relative to the folder that the patterns are about */
  async allows(path: string, password: PlainPassword): Promise<boolean> {
    const entries = this.entries.filter(({ paths }) => isListed(paths, path));
    if (entries.some(({ fingerprint }) => fingerprint === undefined)) return true;
    // Slow, so only where an entry asks for it.
    if (entries.length === 0) return false;
    const own = await password.fingerprint();
    return entries.some(({ fingerprint }) => fingerprint === own);
  }
}

/** The path of a file as the patterns of a list see it. */
export const pathBelow = (list: string | undefined, file: string): string =>
  list === undefined ? file : relative(dirname(list), file);

/** A pattern of a folder covers all that is below it. */
function isListed(list: IgnoreList, path: string): boolean {
  const names = path.split('/');
  return names.some((_name, index) => {
    const isFolder = index < names.length - 1;
    return list.ignores(names.slice(0, index + 1).join('/'), isFolder);
  });
}
