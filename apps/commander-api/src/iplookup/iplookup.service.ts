import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { BuildSummary, NetworkMatch } from '@svc/iplookup-core';
import { Counter, type Metrics, Problem } from '@svc/service-kit';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG } from '../config/config.module.js';
import { LOGGER, type Logger } from '../http/logger.module.js';
import { METRICS } from '../http/metrics-registry.module.js';
import { buildEpoch } from './build-epoch.js';
import { type BuildFlags, toBuildOptions } from './build-flags.js';
import { buildInThread, type ThreadBuildRequest } from './build-in-thread.js';
import { problemOf, toIplookupProblem } from './iplookup-problem.js';
import { LookupCache } from './lookup-cache.js';
import { listLookupFiles, type LookupFile, openLookupFile, type OpenLookupFile } from './lookup-files.js';
import { receiveUpload, removeStaleUploads } from './receive-upload.js';
import { assertBareName, sourceFile } from './source-file.js';

/** Bounds of what an input may become when it is decompressed. */
const LIMITS = { maxBytes: 16 * 2 ** 30, maxRatio: 200 };

/** What the file is called that has no name of its own. */
const UNNAMED = 'upload.csv';

/** Builds and reads lookups for the HTTP API: one build at a time, each in a thread of its own. */
@Injectable()
export class IplookupService implements OnModuleInit, OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private readonly cache = new LookupCache();
  private readonly builds: Counter<'outcome'>;
  private running: Promise<unknown> | undefined;

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Metrics,
  ) {
    this.builds = new Counter({
      name: 'iplookup_builds_total',
      help: 'Lookups built over HTTP, by outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
  }

  async onModuleInit(): Promise<void> {
    const folder = this.config.iplookup.destination_path;
    if (folder !== undefined) await removeStaleUploads(folder);
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled([this.running]);
  }

  /** Builds from a file in the folder of input files. @throws {Problem} */
  async buildFromFile(kind: 'csv' | 'vendor', name: string, flags: BuildFlags): Promise<BuildSummary> {
    const input = await sourceFile(this.config, name);
    return this.build({ ...this.optionsOf(kind, flags), input, folder: this.folder() });
  }

  /** Builds from a request's body. @throws {Problem} */
  async buildFromBody(
    kind: 'csv' | 'vendor',
    name: string | undefined,
    flags: BuildFlags,
    body: { readonly content: Readable; readonly length: number | undefined },
  ): Promise<BuildSummary> {
    if (name !== undefined) assertBareName(name);
    else if ((flags.lookupName ?? flags.zoneName) === undefined) {
      throw new Problem({
        status: 400,
        detail: 'Give file_name or lookup_name: the input has no name of its own.',
      });
    }
    const folder = this.folder();
    const input = await this.receive(folder, body);
    try {
      return await this.build({ ...this.optionsOf(kind, flags), input, inputName: name ?? UNNAMED, folder });
    } finally {
      await rm(input, { force: true });
    }
  }

  /** @throws {Problem} */
  list(): Promise<LookupFile[]> {
    return listLookupFiles(this.folder());
  }

  /** @throws {Problem} */
  open(name: string): Promise<OpenLookupFile> {
    return openLookupFile(this.folder(), name);
  }

  /** @throws {Problem} 400 when `address` is none */
  async find(name: string, address: string): Promise<NetworkMatch> {
    const { handle, file, etag, bytes } = await this.open(name);
    await handle.close();
    try {
      const lookup = await this.cache.open(join(this.folder(), file), etag, bytes);
      const match = lookup.findNetwork(address);
      if (match !== undefined) return match;
    } catch (error) {
      throw toIplookupProblem(error);
    }
    throw new Problem({ status: 400, detail: `${JSON.stringify(address)} is not an IP address.` });
  }

  private folder(): string {
    const folder = this.config.iplookup.destination_path;
    if (folder !== undefined) return folder;
    throw new Problem({ status: 503, detail: 'iplookup.destination_path is not configured.' });
  }

  private optionsOf(kind: 'csv' | 'vendor', flags: BuildFlags) {
    return { ...toBuildOptions(kind, flags, buildEpoch(process.env, Date.now())), limits: LIMITS };
  }

  private async receive(
    folder: string,
    body: { content: Readable; length: number | undefined },
  ): Promise<string> {
    try {
      return await receiveUpload(folder, body.content, body.length);
    } catch (error) {
      throw toIplookupProblem(error);
    }
  }

  private async build(request: ThreadBuildRequest): Promise<BuildSummary> {
    if (this.running)
      throw new Problem({
        status: 409,
        detail: 'Another lookup is being built.',
        headers: { 'retry-after': '10' },
      });
    const run = buildInThread(request, this.shutdown.signal);
    this.running = run;
    try {
      const outcome = await run;
      this.builds.inc({ outcome: 'summary' in outcome ? 'built' : 'failed' });
      if ('crash' in outcome) throw new Error(outcome.crash);
      if ('failure' in outcome) throw problemOf(outcome.failure, outcome.faults);
      const { overlapping, skippedRows, ...counts } = outcome.summary;
      this.logger.info({ iplookup: counts }, 'lookup built');
      return outcome.summary;
    } finally {
      this.running = undefined;
    }
  }
}
