import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { type Principal, Problem, type TokenVerifier } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { link, open, rm, stat } from 'node:fs/promises';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
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
    ', or delete the file: the next start creates one',
  );
  const { mode } = await attempt(file, () => stat(file));
  return { value, file, made, exposed: (mode & 0o004) !== 0 };
}

/** @returns false if the file already exists */
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
    // Linking is atomic and never replaces a file.
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

function unusable(file: string, reason: string, error: unknown): CommanderError {
  return new CommanderError(
    'configuration',
    `${file}: the token file ${reason}: ${describeReadError(error)}; set http.token_file to a place that can be written, or SVCCMD_HTTP_TOKEN`,
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

/** Scopes that routes may require. The single token has all of them. */
const COMMANDER_SCOPES = [
  'passwords:encrypt',
  'library:read',
  'library:write',
  'iplookup:read',
  'iplookup:write',
  'metrics:read',
] as const;

/** Verifies the commander's single token by its hash. */
export class CommanderTokenVerifier implements TokenVerifier {
  private readonly hash: Buffer;

  constructor(token: string) {
    this.hash = sha256(token);
  }

  async verify(token: string): Promise<Principal | undefined> {
    return timingSafeEqual(sha256(token), this.hash) ? principal('token') : undefined;
  }
}

/** `http.auth = none`: every request that passes the cross-site check has all scopes. */
export class OpenAccess implements TokenVerifier {
  readonly anonymous = principal('anonymous');

  async verify(): Promise<Principal> {
    return this.anonymous;
  }
}

function principal(name: string): Principal {
  return { id: name, name, scopes: COMMANDER_SCOPES };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
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
