import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { LoadProgress, LoadReport } from '@svc/library-sync';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG } from '../config/config.module.js';
import { LOGGER, type Logger } from '../http/logger.module.js';
import { toLibraryProblem } from './library-problem.js';
import { type LoadRequest, runLoad } from './run-load.js';

/** Runs loads for the HTTP API. A load goes on when its caller goes away; it ends with the server. */
@Injectable()
export class LibrariesService implements OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws {Problem} */
  async load(request: LoadRequest, onProgress?: (progress: LoadProgress) => void): Promise<LoadReport> {
    const run = this.loadAndLog(request, onProgress);
    this.running.add(run);
    try {
      return await run;
    } finally {
      this.running.delete(run);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled(this.running);
  }

  private async loadAndLog(
    request: LoadRequest,
    onProgress?: (progress: LoadProgress) => void,
  ): Promise<LoadReport> {
    try {
      const report = await runLoad(this.config, request, { signal: this.shutdown.signal, onProgress });
      const { problems, foreign, kept, changes, ...summary } = report;
      this.logger.info({ library: { ...summary, problems: problems.length } }, 'library load');
      return report;
    } catch (error) {
      const problem = toLibraryProblem(error);
      this.logger.warn({ err: (problem as Error).message }, 'library load failed');
      throw problem;
    }
  }
}
