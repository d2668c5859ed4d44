import { randomBytes } from 'node:crypto';
import { link, open, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';

/**
 * A new file of mode 0600 for secrets that are told once. It is made ready before they exist, so that what can go wrong
 * with a file goes wrong while nothing is lost by it.
 */
export class SecretsFile {
  private rescued = false;

  private constructor(
    readonly path: string,
    private readonly draft: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws {CommanderError} when the file is there already or cannot be made; nothing is left behind then */
  static async prepare(path: string): Promise<SecretsFile> {
    const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
    const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    try {
      // Whether the name is free, and can be given, shows when it is; for good it is given once the content stands.
      await link(draft, path);
      await rm(path);
    } catch (error) {
      await handle.close();
      await rm(draft, { force: true });
      throw unwritable(path, error);
    }
    return new SecretsFile(path, draft, handle);
  }

  /** @throws {CommanderError} when it fails; where {@link isRescued}, the message names the file that holds the content */
  async write(content: string): Promise<void> {
    try {
      await this.handle.writeFile(content);
      await this.handle.sync();
    } catch (error) {
      throw unwritable(this.path, error);
    }
    try {
      // Unlike a renaming, a link never replaces a file.
      await link(this.draft, this.path);
    } catch (error) {
      this.rescued = true;
      throw unwritable(this.path, error, `; they are in ${this.draft}`);
    }
  }

  /** True when `write` failed and the secrets are not lost. */
  get isRescued(): boolean {
    return this.rescued;
  }

  /** Removes what is left of the preparation; what holds the secrets stays. */
  async close(): Promise<void> {
    await this.handle.close();
    if (!this.isRescued) await rm(this.draft, { force: true });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already, and is not overwritten',
  ENOENT: 'there is no such folder: make it first',
  EACCES: 'no right to (EACCES)',
  EPERM: 'the file system takes no hard links (EPERM): name a file on another one',
};

function unwritable(path: string, error: unknown, whereabouts = ''): CommanderError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = REASONS[String(code)] ?? code;
  const message = `${path}: cannot write the secrets there (${reason})${whereabouts}`;
  return new CommanderError('failed', message, { cause: error });
}
