import { randomBytes } from 'node:crypto';
import { link, open, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommanderError } from '../errors/commander-error.js';

/**
 * A new file of mode 0600 for secrets that are shown only once. It is prepared before the secrets exist, so that file
 * errors occur while nothing can be lost.
 */
export class SecretsFile {
  private rescued = false;

  private constructor(
    readonly path: string,
    private readonly draft: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws {CommanderError} if the file already exists or cannot be created; leaves nothing behind */
  static async prepare(path: string): Promise<SecretsFile> {
    const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
    const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    try {
      // Linking shows whether the name is free and usable; the final link is made once the content is written.
      await link(draft, path);
      await rm(path);
    } catch (error) {
      await handle.close();
      await rm(draft, { force: true }).catch(() => undefined);
      throw unwritable(path, error);
    }
    return new SecretsFile(path, draft, handle);
  }

  /** @throws {CommanderError} if it fails; if {@link isRescued}, the message names the file with the content */
  async write(content: string): Promise<void> {
    try {
      await this.handle.writeFile(content);
      await this.handle.sync();
    } catch (error) {
      throw unwritable(this.path, error);
    }
    try {
      // Unlike renaming, linking never replaces a file.
      await link(this.draft, this.path);
    } catch (error) {
      this.rescued = true;
      throw unwritable(this.path, error, `; they are in ${this.draft}`);
    }
  }

  /** True if `write` failed but the secrets were saved. */
  get isRescued(): boolean {
    return this.rescued;
  }

  /** Removes temporary files, but not one that contains the secrets. */
  async close(): Promise<void> {
    await this.handle.close();
    if (!this.isRescued) await rm(this.draft, { force: true });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists and is not overwritten',
  ENOENT: 'the folder does not exist: create it first',
  EACCES: 'permission denied (EACCES)',
  EPERM: 'the file system does not support hard links (EPERM): choose a file on another one',
};

function unwritable(path: string, error: unknown, whereabouts = ''): CommanderError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = REASONS[String(code)] ?? code;
  const message = `${path}: cannot write the secrets to it (${reason})${whereabouts}`;
  return new CommanderError('failed', message, { cause: error });
}
