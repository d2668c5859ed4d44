import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Principal } from '@svc/service-kit';
import { AuditLog } from '../audit/audit-log.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../http/providers.module.js';
import { mayUseLibrary } from '../access/caller.js';
import { LibraryMetrics } from './library-metrics.js';
import { LibraryOutcomes } from './library-outcomes.js';
import { ServedLibrary } from './served-library.js';

/** Staggers the first checks, each of which takes a thread. */
const START_APART_MS = 100;

/** The server's libraries. Each has its own schedule, queue and state, and never waits for another. */
@Injectable()
export class LibrariesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly libraries: ReadonlyMap<string | undefined, ServedLibrary>;

  constructor(
    @Inject(COMMANDER_CONFIG) config: CommanderConfig,
    @Inject(LOGGER) logger: Logger,
    metrics: LibraryMetrics,
    audit: AuditLog,
  ) {
    this.libraries = new Map(
      config.libraries.map((settings) => {
        const { name } = settings;
        const named = name === undefined ? logger : logger.child({ library_name: name });
        return [name, new ServedLibrary(settings, named, new LibraryOutcomes(metrics.of(name)), audit)];
      }),
    );
  }

  /**
   * @param name absent for the unnamed library
   * @throws {CommanderError} the same whether the library does not exist or the caller may not use it
   */
  find(name: string | undefined, caller: Principal): ServedLibrary {
    const library = mayUseLibrary(caller, name) ? this.libraries.get(name) : undefined;
    if (library) return library;
    throw new CommanderError(
      'library_not_found',
      name === undefined
        ? 'There is no unnamed library, or the token may not use it; see GET /libraries.'
        : 'There is no library of this name, or the token may not use it; see GET /libraries.',
    );
  }

  /** For push hooks, which prove knowledge of the library's secret. */
  findForHook(name: string | undefined): ServedLibrary | undefined {
    return this.libraries.get(name);
  }

  /** Those that the caller may use. */
  list(caller: Principal): readonly ServedLibrary[] {
    return [...this.libraries.values()].filter(({ settings }) => mayUseLibrary(caller, settings.name));
  }

  onApplicationBootstrap(): void {
    [...this.libraries.values()].forEach((library, index) => library.watch(index * START_APART_MS));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.libraries.values()].map(async (library) => library.stop()));
  }
}
