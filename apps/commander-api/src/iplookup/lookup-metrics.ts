import { Inject, Injectable } from '@nestjs/common';
import { Counter, exemplarLabels, Histogram, type Metrics } from '@svc/service-kit';
import { METRICS } from '../http/providers.module.js';

/** Upper bounds in seconds: from a list of sites to a vendor's largest database. */
const BUILD_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Counts the lookups built over HTTP. */
@Injectable()
export class LookupMetrics {
  private readonly builds: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor(@Inject(METRICS) { registry }: Metrics) {
    this.builds = new Counter({
      name: 'iplookup_builds_total',
      help: 'Lookups built over HTTP, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'iplookup_build_duration_seconds',
      help: 'Duration of lookup builds with any outcome, without time spent queued.',
      buckets: BUILD_SECONDS,
      enableExemplars: true,
      registers: [registry],
    });
    // A series that starts with its first event hides that event from rate() and increase().
    for (const outcome of ['built', 'failed']) this.builds.inc({ outcome }, 0);
  }

  /** @param build returns its outcome instead of throwing */
  async observe<Outcome extends object>(build: () => Promise<Outcome>): Promise<Outcome> {
    const began = performance.now();
    const outcome = await build();
    const value = (performance.now() - began) / 1000;
    this.seconds.observe({ value, exemplarLabels: exemplarLabels() });
    this.builds.inc({ outcome: 'summary' in outcome ? 'built' : 'failed' });
    return outcome;
  }
}
