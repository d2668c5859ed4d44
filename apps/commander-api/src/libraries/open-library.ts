import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DirectoryLibraryStore } from '@svc/directory-store';
import {
  folderOfUrl,
  type GitSourceOptions,
  isFolderPath,
  openSource,
  ProxyAddressError,
} from '@svc/library-source';
import type { CheckedSource, LibrarySource, LibraryStore } from '@svc/library-sync';
import { CommanderError } from '../errors/commander-error.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { ThreadedSource } from './threaded-source.js';

/** Overrides the configured source for one run. */
export interface SourceOverrides {
  /** A folder, relative to the working folder, or a Git URL. */
  readonly source?: string | undefined;
  readonly ref?: string | undefined;
  /** Accepts a commit that does not descend from the one loaded last. */
  readonly allowOlder?: boolean | undefined;
  /** How to treat a source that `source.verify` does not allow; refused when absent. */
  readonly unverified?: 'warn' | 'allow' | undefined;
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
  { source }: LibrarySettings,
  { source: given, ref, ...accepted }: SourceOverrides = {},
  inThread = false,
): LibrarySource | CheckedSource {
  const address = given ?? source.path;
  if (address === undefined) {
    throw new CommanderError(
      'library_configuration',
      'no library source is configured: set source.path to a folder or a Git URL',
      { needsRestart: true },
    );
  }
  // An empty variable of a pipeline would be the working folder.
  if (address === '') throw new CommanderError('usage', 'the source is empty; pass a folder or a Git URL');
  const isFolder = isFolderPath(address) || /^file:/i.test(address);
  if (isFolder && ref !== undefined) {
    throw new CommanderError('usage', 'ref: a folder has no branch, tag or commit; leave the ref out');
  }
  const verify = verifyOptions(source, accepted, isFolder);
  try {
    const options = {
      address: isFolderPath(address) ? resolve(address) : address,
      ref: ref ?? (given === undefined ? source.ref : undefined),
      subfolder: given === undefined ? source.subfolder : undefined,
      caFile: source.ca,
      exclude: source.exclude,
      verify,
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

/** @throws {CommanderError} if there is no list of signers, or the source has no commits to verify */
function verifyOptions(
  { verify: format = 'off', allowed_signers: signers }: LibrarySettings['source'],
  { allowOlder, unverified }: SourceOverrides,
  isFolder: boolean,
): GitSourceOptions['verify'] {
  if (format === 'off' || unverified === 'allow') return undefined;
  if (isFolder && unverified === 'warn') return undefined;
  const message = isFolder
    ? 'source.verify: a folder has no signed commits; load a Git source, or set source.verify to off'
    : `source.verify: ${format} needs the public keys of the allowed signers: set source.allowed_signers to their file`;
  if (isFolder || signers === undefined)
    throw new CommanderError('library_configuration', message, { needsRestart: true });
  return { format, signers, allowsOlder: allowOlder, onlyWarns: unverified === 'warn' };
}

/** A cluster or folder, which may hold several libraries. */
export interface Destination {
  /** False once its session has ended. */
  readonly isOpen: boolean;
  library(path: string): Promise<LibraryStore>;
  close(): Promise<void>;
}

/**
 * Checks what does not need the destination.
 *
 * @throws {CommanderError} configuration
 */
export async function assertDestination({ destination: { urls, path } }: LibrarySettings): Promise<void> {
  if (urls === undefined) {
    throw new CommanderError(
      'library_configuration',
      'no library destination is configured: set destination.urls to host:port of ZooKeeper, or to file:///folder',
      { needsRestart: true },
    );
  }
  if (isFolderUrl(urls)) return;
  const { assertLibraryPath } = await import('@svc/zookeeper-store');
  try {
    assertLibraryPath(urls, path);
  } catch (error) {
    throw asConfigurationError('destination', error);
  }
}

/**
 * Connects to the destination of a library.
 *
 * @throws {CommanderError} configuration
 * @throws {StoreUnreachableError}
 */
export async function openDestination(
  { destination }: LibrarySettings,
  options: StoreOptions = {},
): Promise<Destination> {
  const { urls = '' } = destination;
  try {
    return isFolderUrl(urls) ? openFolder(urls) : await openZookeeper(urls, destination, options);
  } catch (error) {
    throw asConfigurationError('destination', error);
  }
}

const isFolderUrl = (urls: string): boolean => /^file:/i.test(urls);

function openFolder(url: string): Destination {
  const folder = folderOfUrl(url);
  return {
    isOpen: true,
    library: async (path) =>
      DirectoryLibraryStore.open({ folder, path }).catch((error: unknown) => {
        throw asConfigurationError('destination', error);
      }),
    close: async () => undefined,
  };
}

async function openZookeeper(
  addresses: string,
  destination: LibrarySettings['destination'],
  { createChroot }: StoreOptions,
): Promise<Destination> {
  const { UnusableTlsError, ZookeeperCluster } = await import('@svc/zookeeper-store');
  const cluster = await ZookeeperCluster.connect({
    addresses,
    timeoutMs: destination.timeoutMs,
    sessionTimeoutMs: destination.sessionTimeoutMs,
    maxRequestBytes: destination.maxRequestBytes,
    maxReplyBytes: destination.maxReplyBytes,
    createChroot,
    auth: destination.auth,
    allowPlaintextAuth: destination.allow_plaintext_auth,
    acl: destination.acl,
    tls: destination.tls ? await readTlsFiles(destination) : undefined,
  }).catch((error: unknown) => {
    if (!(error instanceof UnusableTlsError)) throw error;
    const files = error.parts.map((part) => destination[`tls_${part}`]).join(', ');
    const remedy =
      error.parts.length > 1
        ? 'replace them with a certificate and its key'
        : 'replace it with a PEM file, a key without a passphrase';
    const message = `destination: ${error.message}: ${files}; ${remedy}`;
    throw new CommanderError('library_configuration', message, { cause: error });
  });
  return {
    get isOpen() {
      return cluster.isOpen;
    },
    library: async (path) => cluster.library(path),
    close: async () => cluster.close(),
  };
}

async function readTlsFiles(
  destination: LibrarySettings['destination'],
): Promise<{ ca?: Buffer; cert?: Buffer; key?: Buffer }> {
  const files: { ca?: Buffer; cert?: Buffer; key?: Buffer } = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const path = destination[`tls_${name}`];
    if (path === undefined) continue;
    files[name] = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      const message = `destination: tls_${name}: cannot read ${path} (${error.code})`;
      throw new CommanderError('library_configuration', message, { cause: error });
    });
  }
  return files;
}

/** Adapters report invalid options as a RangeError. */
function asConfigurationError(place: string, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  const message = `${place}: ${error.message}`;
  return new CommanderError('library_configuration', message, { cause: error, needsRestart: true });
}
