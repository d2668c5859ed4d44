import type { Drift, LoadReport } from '@svc/library-sync';
import type { LibraryCounts, LoadSummary } from './library-metrics.js';

/** What a load did, in short. */
export function loadCounts({ load, revision, created, updated, deleted, changed }: LoadCounts): LoadCounts {
  return { load, revision, created, updated, deleted, changed };
}

type LoadCounts = Pick<LoadReport, 'load' | 'revision' | 'created' | 'updated' | 'deleted' | 'changed'>;

/** Records the outcomes of a library's loads: in its metrics, and the last of each kind for `GET /libraries`. */
export class LibraryOutcomes {
  private state: 'none' | 'loaded' | 'failed' = 'none';
  private success: Date | undefined;
  private failure: { readonly at: string; readonly reason: string } | undefined;

  constructor(
    private readonly counts: LibraryCounts,
    private readonly now: () => Date = () => new Date(),
  ) {}

  ended(report: LoadSummary): void {
    this.counts.countEnded(report);
    this.succeeded();
  }

  /** The source was checked, and matches the last load. */
  unchanged(): void {
    this.counts.countUnchanged();
    this.succeeded();
  }

  failed(reason: string): void {
    this.counts.countFailed();
    this.state = 'failed';
    this.failure = { at: this.now().toISOString(), reason };
  }

  drifted(drift: readonly Drift[]): void {
    this.counts.setDrift(drift);
  }

  /** For `GET /libraries`. */
  summary() {
    const { state, success, failure } = this;
    return {
      state,
      ...(success && { last_success: success.toISOString() }),
      ...(failure && { last_failure: failure }),
    };
  }

  private succeeded(): void {
    this.state = 'loaded';
    this.success = this.now();
  }
}
