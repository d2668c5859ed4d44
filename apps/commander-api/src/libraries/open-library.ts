import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DirectoryLibraryStore } from '@svc/directory-store';
import { folderOfUrl, isFolderPath, openSource, ProxyAddressError } from '@svc/library-source';
import type { CheckedSource, LibrarySource, LibraryStore } from '@svc/library-sync';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { ThreadedSource } from './threaded-source.js';

/** Overrides the configured source for one run. */
export interface SourceOverrides {
  /** A folder, relative to the working folder, or a Git URL. */
  readonly source?: string | undefined;
  readonly ref?: string | undefined;
}

/** What a run may do to the destination. */
export interface StoreOptions {
  /** Creates the chroot in `destination.urls` if it does not exist. */
  readonly createChroot?: boolean | undefined;
}

/**
 * The configured source.
 *
 * @param inThread reads it in a thread, for servers
 * @throws {CommanderError} if the configuration is missing or invalid; the message has no credentials
 */
export function openConfiguredSource(
  { source }: CommanderConfig,
  { source: given, ref }: SourceOverrides = {},
  inThread = false,
): LibrarySource | CheckedSource {
  const address = given ?? source.path;
  if (address === undefined) {
    throw new CommanderError(
      'library_configuration',
      'no library source is configured: set source.path to a folder or a Git URL',
    );
  }
  try {
    const options = {
      address: isFolderPath(address) ? resolve(address) : address,
      ref: ref ?? (given === undefined ? source.ref : undefined),
      subfolder: given === undefined ? source.subfolder : undefined,
      caFile: source.ca,
      exclude: source.exclude,
      proxy: source.proxy,
      deadlineMs: source.timeoutMs,
      maxBytes: source.max_pack,
    };
    return inThread ? new ThreadedSource(options) : openSource(options);
  } catch (error) {
    const place = given === undefined ? 'source.path' : '--source';
    throw asConfigurationError(error instanceof ProxyAddressError ? error.setting : place, error);
  }
}

/**
 * Connects to the configured destination.
 *
 * @throws {CommanderError} configuration
 * @throws {StoreUnreachableError}
 */
export async function openConfiguredStore(
  { destination }: CommanderConfig,
  options: StoreOptions = {},
): Promise<LibraryStore> {
  const { urls, path } = destination;
  if (urls === undefined) {
    throw new CommanderError(
      'library_configuration',
      'no library destination is configured: set destination.urls to host:port of ZooKeeper, or to file:///folder',
    );
  }
  try {
    return /^file:/i.test(urls)
      ? await openDirectory(urls, path)
      : await openZookeeper(urls, destination, options);
  } catch (error) {
    throw asConfigurationError('destination', error);
  }
}

async function openDirectory(url: string, path: string): Promise<LibraryStore> {
  return DirectoryLibraryStore.open({ folder: folderOfUrl(url), path });
}

async function openZookeeper(
  addresses: string,
  destination: CommanderConfig['destination'],
  { createChroot }: StoreOptions,
): Promise<LibraryStore> {
  const { ZookeeperLibraryStore } = await import('@svc/zookeeper-store');
  return ZookeeperLibraryStore.open({
    addresses,
    path: destination.path,
    timeoutMs: destination.timeoutMs,
    sessionTimeoutMs: destination.sessionTimeoutMs,
    maxRequestBytes: destination.maxRequestBytes,
    maxReplyBytes: destination.maxReplyBytes,
    createChroot,
    auth: destination.auth,
    allowPlaintextAuth: destination.allow_plaintext_auth,
    acl: destination.acl,
    tls: destination.tls ? await readTlsFiles(destination) : undefined,
  });
}

async function readTlsFiles(
  destination: CommanderConfig['destination'],
): Promise<{ ca?: Buffer; cert?: Buffer; key?: Buffer }> {
  const files: { ca?: Buffer; cert?: Buffer; key?: Buffer } = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const path = destination[`tls_${name}`];
    if (path === undefined) continue;
    files[name] = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new RangeError(`tls_${name}: cannot read ${path} (${error.code})`, { cause: error });
    });
  }
  return files;
}

/** Adapters report invalid options as a RangeError. */
function asConfigurationError(place: string, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new CommanderError('library_configuration', `${place}: ${error.message}`, { cause: error });
}
