import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { type Principal, Problem, type TokenVerifier } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { link, open, rm, stat } from 'node:fs/promises';
import { CommanderError } from '../errors/commander-error.js';
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

function unusable(file: string, reason: string, error: unknown): CommanderError {
  return new CommanderError(
    'configuration',
    `${file}: the token file ${reason}: ${readFault(error)}; set http.token_file to a place that can be written, or SVCCMD_HTTP_TOKEN`,
    { cause: error },
  );
}

function usable(token: string, place: string, remedy: string): string {
  if (USABLE_TOKEN.test(token)) return token;
  throw new CommanderError(
    'configuration',
    `${place}: a token has at least 32 characters, of letters, digits and - . _ ~ + / (RFC 6750); make one with openssl rand -hex 32${remedy}`,
  );
}

/** What routes of the commander may ask for. Its one token carries them all. */
const COMMANDER_SCOPES = [
  'passwords:encrypt',
  'library:read',
  'library:write',
  'iplookup:read',
  'iplookup:write',
  'metrics:read',
] as const;

/** Knows the commander's one token, by its hash. */
export class CommanderTokenVerifier implements TokenVerifier {
  private readonly hash: Buffer;

  constructor(token: string) {
    this.hash = sha256(token);
  }

  async verify(token: string): Promise<Principal | undefined> {
    return timingSafeEqual(sha256(token), this.hash) ? principal('token') : undefined;
  }
}

/** `http.auth = none`: every request that the cross-site check let through may do everything. */
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
 * Guards a server without tokens against web pages that a user of the same machine or network has open: whatever a browser
 * sends for another site is refused, and so is a Host that is not ours, which is how DNS rebinding shows.
 *
 * @param allowedHosts names (without port) that callers use for this server, besides localhost, addresses and its host name
 */
export function refuseCrossSite(fastify: FastifyInstance, allowedHosts: readonly string[]): void {
  const hosts = new Set(['localhost', hostname(), ...allowedHosts].map((host) => host.toLowerCase()));
  fastify.addHook('onRequest', async (request) => {
    const reason = foreignPart(request, hosts);
    if (reason)
      throw new Problem({ status: 403, detail: `${reason} Requests without a token are refused then.` });
  });
}

function foreignPart({ headers }: FastifyRequest, hosts: ReadonlySet<string>): string | undefined {
  if (headers.origin !== undefined) return 'The request comes from a web page (Origin).';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'The request comes from a page of another site (Sec-Fetch-Site).';
  }
  return isOwnHost(headers.host ?? '', hosts) ? undefined : 'The Host is not one of http.allowed_hosts.';
}

function isOwnHost(host: string, hosts: ReadonlySet<string>): boolean {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host);
  const name = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
  return isIP(name) !== 0 || hosts.has(name);
}
