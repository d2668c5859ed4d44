import { Readable } from 'node:stream';
import type { LoadProgress, LoadReport } from '@svc/library-sync';
import { Problem } from '@svc/service-kit';

/** Not more often than this, beside the lines that tell of a new phase. */
const LINE_INTERVAL_MS = 200;

/**
 * A load as newline-delimited JSON: lines of `{"progress": …}`, then one of `{"report": …}` or `{"problem": …}`. A reader
 * who goes away does not stop the load.
 */
export function streamLoad(
  load: (onProgress: (progress: LoadProgress) => void) => Promise<LoadReport>,
  place: { readonly instance: string; readonly requestId: string },
): Readable {
  const stream = new Readable({ read: () => undefined });
  const write = (line: object) => {
    if (!stream.destroyed) stream.push(`${JSON.stringify(line)}\n`);
  };
  let last = { phase: '', at: 0 };
  const onProgress = (progress: LoadProgress) => {
    const now = Date.now();
    if (progress.phase === last.phase && now - last.at < LINE_INTERVAL_MS) return;
    last = { phase: progress.phase, at: now };
    write({ progress });
  };
  load(onProgress)
    .then((report) => write({ report }))
    .catch((error: unknown) => write({ problem: toDocument(error, place) }))
    .finally(() => {
      if (!stream.destroyed) stream.push(null);
    });
  return stream;
}

function toDocument(
  error: unknown,
  place: { readonly instance: string; readonly requestId: string },
): object {
  const problem = error instanceof Problem ? error : new Problem({ status: 500, detail: 'The load failed.' });
  return problem.toDocument(place.instance, place.requestId);
}
