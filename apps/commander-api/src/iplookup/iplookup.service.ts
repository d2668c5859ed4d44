import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type BuildSummary, type JoinFile, planBuild } from '@svc/iplookup-core';
import { mayUseLookup } from '../access/caller.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../http/providers.module.js';
import { type BuildFlags, type BuildKind, buildEpoch, toBuildOptions } from './build/build-flags.js';
import { BUILD_LIMITS } from './build/build-limits.js';
import { type BuildOutcome, buildInThread, type ThreadBuildRequest } from './build/build-in-thread.js';
import { BuildQueue } from './build/build-queue.js';
import { toGuards } from './build/guard-flags.js';
import { parseJoin } from './build/join-flag.js';
import { toLookupError, withLookupErrors } from './files/iplookup.errors.js';
import {
  deleteLookupFiles,
  listLookupFiles,
  type LookupFile,
  openLookupFile,
  type OpenLookupFile,
} from './files/lookup-files.js';
import {
  type FileRollback,
  type FileVersions,
  findVersions,
  rollBackLookup,
} from './rollback/lookup-rollback.js';
import type { AllowedLookup } from './files/allowed-lookup.js';
import { manifestTool } from './build/manifest-tool.js';
import { assertBareName, sourceFile } from './files/open-inside.js';
import { storeUpload, removeStaleUploads } from './files/store-upload.js';
import type { Requester } from '../http/requester.js';
import { LookupMetrics } from './lookup-metrics.js';
import { inSpan, type Principal } from '@svc/service-kit';

/** Names of uploads without a name. */
const UNNAMED: Readonly<Record<BuildKind, string>> = {
  csv: 'upload.csv',
  vendor: 'upload.csv',
  maxmind: 'upload.zip',
};

/** Placeholder for an input not yet received: its rows, or its name in an archive, may identify it as a vendor's. */
const ANY_VENDOR_NAME = 'IP2LOCATION-LITE-DB1.CSV';

/** An uploaded input. */
export interface SentInput {
  readonly content: Readable;
  /** In bytes, if known. */
  readonly length: number | undefined;
}

/** Builds lookups and hands them out for the HTTP API: one build at a time, each in its own thread. */
@Injectable()
export class IplookupService implements OnModuleInit, OnApplicationShutdown {
  private readonly shutdown = new AbortController();

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: LookupMetrics,
    private readonly queue: BuildQueue,
  ) {}

  async onModuleInit(): Promise<void> {
    const folder = this.config.iplookup.destination_path;
    if (folder !== undefined) await removeStaleUploads(folder);
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.queue.ended();
  }

  /**
   * Builds from a file in the folder of input files.
   *
   * @throws {CommanderError}
   */
  async buildFromFile(
    kind: BuildKind,
    name: string,
    flags: BuildFlags,
    caller: Requester,
  ): Promise<BuildSummary> {
    const folder = this.folder();
    const input = await sourceFile(this.config, name);
    this.queue.assertFree(caller);
    return this.build(
      { ...(await this.optionsOf(kind, flags, caller)), input, inputName: name, folder },
      caller,
    );
  }

  /**
   * Builds from a request's body. Whatever can be rejected without the body is rejected before it is received.
   *
   * @throws {CommanderError}
   */
  async buildFromBody(
    kind: BuildKind,
    name: string | undefined,
    flags: BuildFlags,
    body: SentInput,
    caller: Requester,
  ): Promise<BuildSummary> {
    if (name !== undefined) assertBareName(name);
    else if ((flags.lookupName ?? flags.zoneName) === undefined) {
      throw new CommanderError('usage', 'Pass file_name or lookup_name: an upload has no name.');
    }
    const folder = this.folder();
    const inputName = name ?? UNNAMED[kind];
    const options = await this.optionsOf(kind, flags, caller);
    const input = await withLookupErrors(async () => {
      // MaxMind's files have networks.
      const known = kind === 'maxmind' ? { ...options, inputFormat: 'cidr' as const } : options;
      planBuild(inputName, known, kind === 'vendor' ? ANY_VENDOR_NAME : undefined);
      return this.queue.receive(() => storeUpload(folder, body.content, body.length), caller);
    });
    try {
      return await this.build({ ...options, input, inputName, folder }, caller);
    } finally {
      await rm(input, { force: true });
    }
  }

  /**
   * The lookups that the caller may use.
   *
   * @throws {CommanderError}
   */
  async list(caller: Principal): Promise<LookupFile[]> {
    return (await listLookupFiles(this.folder())).filter(({ name }) => mayUseLookup(caller, name));
  }

  /** @throws {CommanderError} */
  async open(name: AllowedLookup): Promise<OpenLookupFile> {
    return openLookupFile(this.folder(), name);
  }

  /**
   * @returns the deleted files
   * @throws {CommanderError}
   */
  async delete(name: AllowedLookup): Promise<string[]> {
    const files = await deleteLookupFiles(this.folder(), name);
    this.logger.info({ files }, 'lookup deleted');
    return files;
  }

  /** @throws {CommanderError} */
  async versions(name: AllowedLookup): Promise<FileVersions> {
    return findVersions(this.folder(), name);
  }

  /**
   * Restores a former version, after the builds in progress, unless the caller has left by then: whoever tries again would
   * otherwise undo the rollback.
   *
   * @throws {CommanderError}
   */
  async rollBack(
    name: AllowedLookup,
    number: number | undefined,
    { left }: Pick<Requester, 'left'>,
  ): Promise<FileRollback> {
    const folder = this.folder();
    const done = await this.queue.run(async () => {
      if (left.aborted)
        throw new CommanderError('build_stopped', 'The client disconnected; nothing was restored.');
      return rollBackLookup(folder, name, number);
    });
    this.logger.info({ iplookup: done }, 'lookup rolled back');
    return done;
  }

  private folder(): string {
    const folder = this.config.iplookup.destination_path;
    if (folder !== undefined) return folder;
    throw new CommanderError('configuration', 'iplookup.destination_path is not configured.');
  }

  private async optionsOf(kind: BuildKind, flags: BuildFlags, caller: Requester) {
    try {
      const joinFiles: JoinFile[] = [];
      for (const join of (flags.join ?? []).map(parseJoin))
        joinFiles.push({ ...join, path: await sourceFile(this.config, join.name) });
      return {
        ...toBuildOptions(kind, flags, buildEpoch(process.env, Date.now())),
        joinFiles,
        limits: BUILD_LIMITS,
        followLinks: false,
        keepVersions: this.config.iplookup.keep_versions,
        threads: this.config.iplookup.threads,
        manifestTool: manifestTool(this.config),
        guards: toGuards(flags),
        forcedBy: flags.force === true ? caller.name : undefined,
      };
    } catch (error) {
      throw toLookupError(error) ?? error;
    }
  }

  private async build(request: ThreadBuildRequest, { id, left }: Requester): Promise<BuildSummary> {
    const signal = AbortSignal.any([this.shutdown.signal, left]);
    const attributes = { 'svc.iplookup.kind': request.kind };
    const build = async (): Promise<BuildOutcome> =>
      inSpan('lookup build', { attributes }, async () =>
        summaryOf(await buildInThread(request, signal)),
      ).then(
        (summary) => ({ summary }),
        (error: Error) => ({ error }),
      );
    const outcome = await this.queue.run(() => this.metrics.observe(build), id);
    if ('error' in outcome) throw outcome.error;
    const { overlapping, skippedRows, ...counts } = outcome.summary;
    this.logger.info({ iplookup: counts }, 'lookup built');
    if (counts.overriding.length > 0)
      this.logger.warn({ iplookup: counts.overriding }, 'a row of the input overrides many others');
    return outcome.summary;
  }
}

function summaryOf(outcome: BuildOutcome): BuildSummary {
  if ('error' in outcome) throw outcome.error;
  return outcome.summary;
}
