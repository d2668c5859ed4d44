import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { decryptPassword, DecryptionError, EncryptedPassword } from '@svc/password-format';
import { DestinationPolicy } from '@svc/service-kit/destinations';
import type { CommanderConfig } from '../../config/commander-config.js';
import { CommanderError } from '../../errors/commander-error.js';
import { describeReadError } from '../../files/read-at-most.js';
import { loadPasswordKeys } from '../../passwords/load-password-keys.js';
import { type Download, download, type DownloadRules } from './download.js';
import type { LookupDeclaration } from './lookup-declaration.js';
import { fileNameOf, type RemoteSource } from './remote-source.js';

const TIMEOUT_MS = 10 * 60_000;
const MAX_BYTES = 4 * 1024 ** 3;
/** As for layers: another configuration may be about to use the file. */
const UNDECLARED_MS = 24 * 60 * 60_000;

/**
 * The file that a URL is fetched to, named like the last part of its path.
 *
 * @param lookups the folder of lookup files
 */
export function fetchedFile(lookups: string, url: string): string {
  const folder = createHash('sha256').update(url).digest('hex').slice(0, 40);
  return join(fetchedFolder(lookups), folder, fileNameOf(url));
}

const fetchedFolder = (lookups: string): string => join(lookups, '.sync', 'sources');

/** Deletes fetched files that have not been declared for a day. */
export async function cleanFetched(
  lookups: string,
  declarations: readonly LookupDeclaration[],
  now: number,
): Promise<void> {
  const root = fetchedFolder(lookups);
  const remotes = declarations.flatMap(({ layers }) => layers.flatMap(({ remote }) => remote ?? []));
  const declared = new Set(remotes.map(({ url }) => dirname(fetchedFile(lookups, url))));
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    if (declared.has(folder)) continue;
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > UNDECLARED_MS) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Fetches the sources of a lookup that are URLs, if they have changed.
 *
 * @param lookups the folder of lookup files
 * @throws {CommanderError} for the first that cannot be fetched; its previously fetched file is kept
 */
export async function fetchSources(
  { layers }: LookupDeclaration,
  config: CommanderConfig,
  lookups: string,
  signal: AbortSignal,
  onStep: (line: string) => void,
): Promise<void> {
  const rules = rulesOf(config.iplookup);
  for (const { remote, source } of layers) {
    if (remote === undefined) continue;
    const file = fetchedFile(lookups, remote.url);
    const request = {
      url: new URL(remote.url),
      credentials: await credentialsOf(source, remote, config),
      checksum: remote.checksum,
    };
    const result = await download(request, dirname(file), basename(file), rules, signal);
    // The folder's age shows how long its source has not been declared.
    await utimes(dirname(file), new Date(), new Date());
    if (result === 'fetched') onStep(`fetched ${source}`);
  }
}

function rulesOf({
  hosts,
  private_networks,
  ca,
  timeoutMs,
  max_download,
}: CommanderConfig['iplookup']): DownloadRules {
  return {
    hosts: (hosts ?? []).map((host) => host.toLowerCase()),
    policy: new DestinationPolicy(private_networks, 'iplookup.private_networks'),
    ca: ca === undefined ? undefined : [...rootCertificates, readCa(ca)],
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
    maxBytes: max_download ?? MAX_BYTES,
  };
}

function readCa(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = `iplookup.ca: ${path} cannot be read: ${describeReadError(error)}`;
    throw new CommanderError('configuration', message, { cause: error });
  }
}

async function credentialsOf(
  source: string,
  { credentials }: RemoteSource,
  { pwdencryptor }: CommanderConfig,
): Promise<Download['credentials']> {
  if (credentials === undefined) return undefined;
  const { user, password } = credentials;
  if (!(password instanceof EncryptedPassword)) return { user, password };
  const keys = await loadPasswordKeys(pwdencryptor, () => undefined);
  try {
    return { user, password: await decryptPassword(password.text, keys) };
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    const message = `the password of ${source} cannot be decrypted: ${error.message}`;
    throw new CommanderError('unusable_input', message, { cause: error });
  }
}
