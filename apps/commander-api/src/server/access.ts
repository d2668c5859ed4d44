import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { Problem } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { link, open, rm, stat } from 'node:fs/promises';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { type ConfigKey, environmentName } from '../config/config-key.js';
import { readAtMostSync, describeReadError } from '../files/read-at-most.js';

/** The token that callers must present, and where it comes from. */
export interface AccessToken {
  readonly value: string;
  /** The file that holds it; undefined when the configuration itself does. */
  readonly file: string | undefined;
  /** True when the file has just been created. */
  readonly made: boolean;
  /** True when every user of the machine can read the file. */
  readonly exposed: boolean;
}

const TOKEN_BYTES = 32;

/** A larger file cannot be just a token. */
const MAX_FILE_BYTES = 65_536;

/** `b64token` of RFC 6750 section 2.1, of at least 32 characters, so that it cannot be guessed. */
const USABLE_TOKEN = /^(?=.{32,4096}$)[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The token of the configuration, else that of `http.token_file`, which is created (mode 0600) if it does not exist. Several
 * processes that start together in one folder end up with the same token.
 *
 * @throws {CommanderError} with `EXIT.configuration`; no message holds the token
 */
export async function loadAccessToken(
  { token, token_file: file }: Pick<CommanderConfig['http'], 'token' | 'token_file'>,
  section: ConfigKey['section'] = 'http',
): Promise<AccessToken> {
  if (token !== undefined) {
    return { value: usable(token, `${section}.token`, ''), file: undefined, made: false, exposed: false };
  }
  const made = await makeTokenFile(file, section);
  const attempt = async <T>(read: () => Promise<T>) =>
    read().catch((error: unknown) => {
      throw unusable(file, section, 'cannot be read', error);
    });
  const content = await attempt(async () => readAtMostSync(file, MAX_FILE_BYTES));
  const value = usable(
    content.toString('utf8').trim(),
    file,
    ', or delete the file: the next start creates one',
  );
  const { mode } = await attempt(async () => stat(file));
  return { value, file, made, exposed: (mode & 0o004) !== 0 };
}

/** @returns false if the file already exists */
async function makeTokenFile(file: string, section: ConfigKey['section']): Promise<boolean> {
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
    // Linking is atomic and never replaces a file.
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unusable(file, section, 'cannot be created', error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

function unusable(
  file: string,
  section: ConfigKey['section'],
  reason: string,
  error: unknown,
): CommanderError {
  return new CommanderError(
    'configuration',
    `${file}: the token file ${reason}: ${describeReadError(error)}; set ${section}.token_file to a place that can be written, or ${environmentName({ section, key: 'token' })}`,
    { cause: error },
  );
}

function usable(token: string, place: string, remedy: string): string {
  if (USABLE_TOKEN.test(token)) return token;
  throw new CommanderError(
    'configuration',
    `${place}: a token needs at least 32 characters: letters, digits and - . _ ~ + / (RFC 6750); create one with openssl rand -hex 32${remedy}`,
  );
}

/**
 * Protects a server without tokens from web pages open on the same machine or network: rejects what a browser sends for
 * another site, and foreign Host headers, which reveal DNS rebinding.
 *
 * @param allowedHosts host names (without port) of this server, in addition to localhost, IP addresses and the machine's name
 */
export function refuseCrossSite(fastify: FastifyInstance, allowedHosts: readonly string[]): void {
  const hosts = new Set(['localhost', hostname(), ...allowedHosts].map((host) => host.toLowerCase()));
  fastify.addHook('onRequest', async (request) => {
    const reason = foreignPart(request, hosts);
    if (reason) throw new Problem({ status: 403, detail: `${reason} Such requests require a token.` });
  });
}

function foreignPart({ headers }: FastifyRequest, hosts: ReadonlySet<string>): string | undefined {
  if (headers.origin !== undefined) return 'The request was sent by a web page (Origin).';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return "The request was sent by another site's page (Sec-Fetch-Site).";
  }
  return isOwnHost(headers.host ?? '', hosts) ? undefined : 'The Host is not listed in http.allowed_hosts.';
}

function isOwnHost(host: string, hosts: ReadonlySet<string>): boolean {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host);
  const name = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
  return isIP(name) !== 0 || hosts.has(name);
}
