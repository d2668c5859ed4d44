import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Metrics } from '@svc/service-kit';
import { METRICS } from '../http/metrics-registry.module.js';

/** How a load ended. `unchanged`: the destination held all of it already. */
export type LoadResult = 'loaded' | 'unchanged' | 'failed';

/** Counts the loads that have ended, whoever asked for them; dry runs are none. */
@Injectable()
export class LibraryLoads {
  private readonly counter: Counter<'result'>;

  constructor(@Inject(METRICS) metrics: Metrics) {
    this.counter = new Counter({
      name: 'library_loads_total',
      help: 'Loads of the library and rollbacks over HTTP, by hook and by interval, by result.',
      labelNames: ['result'],
      registers: [metrics.registry],
    });
  }

  count(result: LoadResult): void {
    this.counter.inc({ result });
  }
}
