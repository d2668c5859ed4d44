import { Counter, Gauge, type Metrics } from '@svc/service-kit';
import type { Logger } from 'pino';
import type { LookupFile } from './lookup-file.js';

/** How often it is looked whether the file was replaced, in milliseconds. */
const LOOK_MS = 2_000;

/**
 * Reads a lookup file anew whenever it is replaced, and tells so in the log and the metrics. Its state is asked for again
 * and again, since notifications do not come through every kind of mount.
 *
 * @returns what ends it
 */
export function watchLookup(lookup: LookupFile, logger: Logger, { registry }: Metrics): () => void {
  const reloads = new Counter({
    name: 'ip_lookup_reloads_total',
    help: 'New lookup files found in the place of the former: loaded, or refused for their faults.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['loaded', 'refused']) reloads.labels(outcome).inc(0);
  new Gauge({
    name: 'ip_lookup_build_timestamp_seconds',
    help: 'When the lookup file in use was built, in seconds since 1970.',
    registers: [registry],
    collect() {
      this.set(lookup.buildEpoch);
    },
  });
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (!(await lookup.refresh())) return;
      reloads.inc({ outcome: 'loaded' });
      logger.info({ file: lookup.path, built: lookup.buildEpoch }, 'the lookup file was replaced and read');
    } catch (err) {
      reloads.inc({ outcome: 'refused' });
      logger.error({ err }, 'the new lookup file cannot be used; the former one stays in use');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
