import { Readable } from 'node:stream';
import type { LoadProgress, LoadReport } from '@svc/library-sync';
import { Problem, type ProblemDocument } from '@svc/service-kit';
import { toProblem } from '../http/to-problem.js';
import type { LoadStreamLine } from './load-report.dto.js';

/** Minimum time between lines of the same phase. */
const LINE_INTERVAL_MS = 200;

/** The request, and whether the load may wait for another one. */
interface StreamPlace {
  readonly instance: string;
  readonly requestId: string;
  readonly waits: boolean;
}

/**
 * A load as newline-delimited JSON: lines of `{"progress": …}`, then one of `{"report": …}` or `{"problem": …}`. The load
 * continues if the client disconnects.
 *
 * @returns once the load has the lock, or waits for it as requested
 * @throws an error before that, so that the response has its status instead of a stream
 */
export async function streamLoad(
  load: (onProgress: (progress: LoadProgress) => void) => Promise<LoadReport>,
  place: StreamPlace,
): Promise<Readable> {
  const stream = new Readable({ read: () => undefined });
  const write = (line: LoadStreamLine) => {
    if (!stream.destroyed) stream.push(`${JSON.stringify(line)}\n`);
  };
  let last = { phase: '', at: 0 };
  let begin: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const onProgress = (progress: LoadProgress) => {
    if (place.waits || progress.phase !== 'waiting') begin();
    const now = performance.now();
    if (progress.phase === last.phase && now - last.at < LINE_INTERVAL_MS) return;
    last = { phase: progress.phase, at: now };
    write({ progress });
  };
  const running = load(onProgress);
  await Promise.race([begun, running]);
  running
    .then((report) => write({ report }))
    .catch((error: unknown) => write({ problem: toDocument(error, place) }))
    .finally(() => {
      if (!stream.destroyed) stream.push(null);
    });
  return stream;
}

function toDocument(error: unknown, place: StreamPlace): ProblemDocument {
  const problem = toProblem(error) ?? new Problem({ status: 500, detail: 'The load failed.' });
  return problem.toDocument(place.instance, place.requestId);
}
