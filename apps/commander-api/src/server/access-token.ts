import { randomBytes } from 'node:crypto';
import { link, open, rm, stat } from 'node:fs/promises';
import { CommandError, EXIT } from '../errors/command-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { readAtMostSync, readFault } from '../files/read-at-most.js';

/** The token that callers must present, and how it came about. */
export interface AccessToken {
  readonly value: string;
  /** The file that holds it; undefined when the configuration itself does. */
  readonly file: string | undefined;
  /** True when the file was made now. */
  readonly made: boolean;
  /** True when every user of the machine can read the file. */
  readonly exposed: boolean;
}

const TOKEN_BYTES = 32;

/** Whatever is larger holds no token alone. */
const MAX_FILE_BYTES = 65_536;

/** `b64token` of RFC 6750 section 2.1, of 32 characters, which cannot be guessed. */
const USABLE_TOKEN = /^(?=.{32,4096}$)[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The token of the configuration, else that of `http.token_file`, which is made (mode 0600) when it is not there. Several
 * processes may start at once on one folder: all end up with the same token.
 *
 * @throws {CommandError} with `EXIT.configuration`; no message holds the token
 */
export async function loadAccessToken({
  token,
  token_file: file,
}: CommanderConfig['http']): Promise<AccessToken> {
  if (token !== undefined) {
    return { value: usable(token, 'http.token', ''), file: undefined, made: false, exposed: false };
  }
  const made = await makeTokenFile(file);
  const content = await attempt(file, async () => readAtMostSync(file, MAX_FILE_BYTES));
  const value = usable(
    content.toString('utf8').trim(),
    file,
    ', or remove the file: the next start makes one',
  );
  const { mode } = await attempt(file, () => stat(file));
  return { value, file, made, exposed: (mode & 0o004) !== 0 };
}

/** @returns false when the file is there already */
async function makeTokenFile(file: string): Promise<boolean> {
  if (
    await stat(file).then(
      () => true,
      () => false,
    )
  )
    return false;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(TOKEN_BYTES).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link appears with its content or not at all, and never replaces a file.
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unusable(file, 'cannot be made', error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function attempt<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw unusable(file, 'cannot be read', error);
  }
}

function unusable(file: string, reason: string, error: unknown): CommandError {
  return new CommandError(
    `${file}: the token file ${reason}: ${readFault(error)}; set http.token_file to a place that can be written, or SVCCMD_HTTP_TOKEN`,
    EXIT.configuration,
    { cause: error },
  );
}

function usable(token: string, place: string, remedy: string): string {
  if (USABLE_TOKEN.test(token)) return token;
  throw new CommandError(
    `${place}: a token has at least 32 characters, of letters, digits and - . _ ~ + / (RFC 6750); make one with openssl rand -hex 32${remedy}`,
    EXIT.configuration,
  );
}
