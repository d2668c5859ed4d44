import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventLoopYield, SharedPlaces } from '@svc/service-kit';
import { InputFileError, type Lookup, LookupFormatError, openLookup } from '@svc/iplookup-core';
import type { CommanderConfig } from '../../config/commander-config.js';
import { CommanderError } from '../../errors/commander-error.js';
import { COMMANDER_CONFIG } from '../../http/providers.module.js';
import type { Requester } from '../../http/requester.js';
import { runInThread } from '../build/build-in-thread.js';
import { dumpInThread } from './dump-in-thread.js';
import type { AllowedLookup } from '../files/allowed-lookup.js';
import { LookupCache } from '../files/lookup-cache.js';
import { openLookupFile, type OpenLookupFile } from '../files/lookup-files.js';
import type { AddressRecord } from '../files/lookup.dto.js';
import { lookupFolder } from '../files/lookup-paths.js';
import type { LookupDeclaration } from '../sync/lookup-declaration.js';
import { readLookupDeclarations, sourcePaths } from '../sync/read-lookup-declarations.js';
import { READ_LIMITS, READ_PLACES } from './read-limits.js';
import type { ReadTask } from './read-worker.js';
import { toJsonRecord } from '../files/record-json.js';

const PROGRAM = new URL('./read-worker.js', import.meta.url);

/** The most that the records of one response may hold, in characters of JSON. */
const MAX_RESPONSE = 2 ** 25;

/** Addresses looked up at a time. */
const CHUNK = 100;

/** Reads lookups for the HTTP API: addresses from memory, whole lookups in threads. */
@Injectable()
export class LookupReadsService implements OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private readonly cache = new LookupCache();
  private readonly places = new SharedPlaces(READ_PLACES);

  constructor(@Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig) {}

  onApplicationShutdown(): void {
    this.shutdown.abort();
  }

  /**
   * Looks addresses up.
   *
   * @throws {CommanderError} for the first that is not an IP address, if the lookup file is damaged, or if the records
   *   become too large
   */
  async find(name: AllowedLookup, addresses: readonly string[]): Promise<AddressRecord[]> {
    const file = await this.open(name);
    try {
      return await findAll(openLookup(await this.cache.read(file)), addresses);
    } catch (error) {
      throw unreadableLookup(file.file, error);
    }
  }

  async inspect(name: AllowedLookup, column: string | undefined, reader: Requester): Promise<object> {
    const { file, path } = await this.locate(name);
    const task: ReadTask = { read: 'inspect', path, file, ...(column === undefined ? {} : { column }) };
    return this.inThread(task, [{ file, path }], reader);
  }

  async verify(name: AllowedLookup, reader: Requester): Promise<object> {
    const { file, path } = await this.locate(name);
    return this.inThread({ read: 'verify', path, file }, [{ file, path }], reader);
  }

  /** @param limit maximum number of differences to list */
  async diff(before: AllowedLookup, after: AllowedLookup, limit: number, reader: Requester): Promise<object> {
    const files = [await this.locate(before), await this.locate(after)] as const;
    const task: ReadTask = { read: 'diff', before: files[0].path, after: files[1].path, limit };
    return { old: files[0].file, new: files[1].file, ...(await this.inThread(task, files, reader)) };
  }

  /** Shows where the values of an address come from, in a declared lookup. */
  async explain(name: AllowedLookup, address: string, reader: Requester): Promise<object> {
    const { file } = await this.locate(name);
    const declaration = this.declarationOf(file);
    const paths = sourcePaths(this.config, declaration);
    const folder = lookupFolder(this.config);
    const task: ReadTask = { read: 'explain', declaration, address, folder, paths };
    const sources = Object.values(paths).map((path) => ({ path, file: basename(path) }));
    return this.inThread(task, [...sources, { path: join(folder, '/'), file: '' }], reader);
  }

  private declarationOf(file: string): LookupDeclaration {
    const found = this.declared().find(({ name, gzip }) => file === `${name}.mmdb${gzip ? '.gz' : ''}`);
    if (found !== undefined) return found;
    throw new CommanderError('lookup_not_found', `${file} is not built from declared sources.`);
  }

  private declared(): LookupDeclaration[] {
    if (this.config.iplookup.declarations === undefined) return [];
    try {
      return readLookupDeclarations(this.config);
    } catch (error) {
      const detail = 'The declarations of lookups are invalid: see "svccmd iplookup sync --dry-run".';
      throw new CommanderError('failed', detail, { cause: error });
    }
  }

  /** @returns the text, as fast as it is read */
  async dump(located: LocatedFile, form: 'cidr' | 'range', reader: Requester): Promise<Readable> {
    const signal = AbortSignal.any([this.shutdown.signal, reader.left]);
    const release = this.places.take(reader);
    try {
      return await dumpInThread({ path: located.path, form }, signal, release);
    } catch (error) {
      release();
      throw forCaller(error, [located]);
    }
  }

  private async open(name: AllowedLookup): Promise<OpenLookupFile> {
    const folder = this.config.iplookup.destination_path;
    if (folder !== undefined) return openLookupFile(folder, name);
    throw new CommanderError('configuration', 'iplookup.destination_path is not configured.');
  }

  /** Finds a lookup file. @throws {CommanderError} */
  async locate(name: AllowedLookup): Promise<LocatedFile> {
    const { file, path, handle } = await this.open(name);
    await handle.close();
    return { file, path };
  }

  private async inThread(
    task: ReadTask,
    files: readonly LocatedFile[],
    reader: Requester,
  ): Promise<Record<string, unknown>> {
    const signal = AbortSignal.any([this.shutdown.signal, reader.left]);
    const release = this.places.take(reader);
    try {
      const outcome = await runInThread<Record<string, unknown>>(PROGRAM, task, [], signal, READ_LIMITS);
      if ('error' in outcome) throw forCaller(asRead(outcome.error, signal), files);
      return outcome.summary;
    } finally {
      release();
    }
  }
}

/** A lookup file, and where it is. */
export interface LocatedFile {
  readonly file: string;
  readonly path: string;
}

/** Other requests are served in between. */
async function findAll(lookup: Lookup, addresses: readonly string[]): Promise<AddressRecord[]> {
  const pause = new EventLoopYield();
  const found: AddressRecord[] = [];
  let size = 0;
  for (const [index, ip] of addresses.entries()) {
    if (index % CHUNK === CHUNK - 1) await pause.ifDue();
    const match = lookup.findNetwork(ip);
    if (match === undefined) throw new CommanderError('usage', `${JSON.stringify(ip)} is not an IP address.`);
    const record = toJsonRecord(match.record);
    size += addresses.length === 1 ? 0 : JSON.stringify(record).length;
    if (size > MAX_RESPONSE) {
      const detail = `The records of ${addresses.length} addresses are too large: ask for fewer at once.`;
      throw new CommanderError('response_too_large', detail);
    }
    found.push({ ip, network: match.network, record });
  }
  return found;
}

/** Threads report errors in terms of builds. */
function asRead(error: Error, signal: AbortSignal): Error {
  if (!(error instanceof CommanderError) || error.code !== 'build_stopped') return error;
  const detail = signal.aborted
    ? 'The read was stopped.'
    : `Reading the lookup took longer than ${READ_LIMITS.deadlineMs / 1000} seconds: use svccmd.`;
  return new CommanderError('read_stopped', detail, { cause: error });
}

function forCaller(error: unknown, files: readonly LocatedFile[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  return error.code === 'input_too_large' ? tooLargeForRequest(error) : withoutFolders(error, files);
}

/** Says what works instead: svccmd has no such limit. */
function tooLargeForRequest(error: CommanderError): CommanderError {
  const detail = 'The lookup needs more memory than a request may use: use svccmd.';
  return new CommanderError('input_too_large', detail, { cause: error });
}

/** Callers must not learn the server's folders. */
function withoutFolders(error: CommanderError, files: readonly LocatedFile[]): CommanderError {
  const detail = files.reduce((text, { path, file }) => text.replaceAll(path, file), error.detail);
  return new CommanderError(error.code, detail, { cause: error });
}

/** A lookup file that cannot be read is the server's problem, not the caller's; other errors pass as they are. */
function unreadableLookup(file: string, error: unknown): unknown {
  if (error instanceof LookupFormatError) {
    const detail = `The lookup file is damaged: ${file}: ${error.message}.`;
    return new CommanderError('failed', detail, { cause: error });
  }
  if (error instanceof InputFileError) {
    return new CommanderError('failed', `The lookup file cannot be used: ${error.message}.`, {
      cause: error,
    });
  }
  return error;
}
