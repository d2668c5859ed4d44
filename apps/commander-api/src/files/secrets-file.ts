import { randomBytes } from 'node:crypto';
import { link, open, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../cli/exit-code.js';

/**
 * A new file of mode 0600 for secrets that are told once. It is made ready before they exist, so that what can go wrong
 * with a file goes wrong while nothing is lost by it.
 */
export class SecretsFile {
  private constructor(
    readonly path: string,
    private readonly draft: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws {CommandError} when the file is there already or cannot be made */
  static async prepare(path: string): Promise<SecretsFile> {
    const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
    try {
      // Whether the name is free shows when it is taken; it is taken for good only once the content stands.
      await (await open(path, 'wx', 0o600)).close();
      await rm(path);
      return new SecretsFile(path, draft, await open(draft, 'wx', 0o600));
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** @throws {CommandError} */
  async write(content: string): Promise<void> {
    try {
      await this.handle.writeFile(content);
      await this.handle.sync();
      // Unlike a renaming, a link never replaces a file.
      await link(this.draft, this.path);
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  /** Removes what is left of the preparation; the file itself stays. */
  async close(): Promise<void> {
    await this.handle.close();
    await rm(this.draft, { force: true });
  }
}

function unwritable(path: string, error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'EEXIST' ? 'it is there already, and is not overwritten' : code;
  return new CommandError(`${path}: cannot write the secrets there (${reason})`, undefined, { cause: error });
}
