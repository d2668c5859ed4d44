import { parentPort, workerData } from 'node:worker_threads';
import { openSource } from '@svc/library-source';
import {
  readAndCheck,
  type ReadLibrary,
  SourceChangedError,
  SourceConfigurationError,
  SourceUnreachableError,
  UnverifiedSourceError,
} from '@svc/library-sync';
import {
  type Failure,
  type KnownOfDestination,
  packFiles,
  pieces,
  type SourceMessage,
  type SourceRequest,
  type SourceTask,
} from './source-messages.js';

const port = parentPort!;
const { source, reading, contentFile } = workerData as SourceTask;
const options = { ...source, server: { ...source.server }, contentFile };
const stop = new AbortController();
const known = new Promise<KnownOfDestination>((resolve, reject) => {
  port.on('message', (request: SourceRequest) => {
    if (request.kind === 'known') return resolve(request);
    stop.abort();
    reject(stop.signal.reason as Error);
  });
});
// Not every task awaits it.
known.catch(() => undefined);

const send = (message: SourceMessage): void =>
  port.postMessage(message, message.kind === 'files' ? [message.bytes.buffer] : []);

function sendLibrary({ library, problems }: ReadLibrary): void {
  for (const paths of pieces(library.folders)) send({ kind: 'folders', paths });
  for (const packed of packFiles(library.files, contentFile !== undefined)) send(packed);
  for (const piece of pieces(problems)) send({ kind: 'problems', problems: piece });
}

async function work(): Promise<Pick<ReadLibrary, 'revision' | 'signature' | 'isOlder'>> {
  const source = openSource(options);
  if (!reading) return { revision: await source.revision(stop.signal) };
  const read = await readAndCheck(source, reading, {
    signal: stop.signal,
    onProgress: (progress) => send({ kind: 'progress', progress }),
    passed: async () => (await known).passed,
    lastLoaded: async () => (await known).lastLoaded,
  });
  sendLibrary(read);
  const { revision, signature, isOlder } = read;
  return { revision, signature, isOlder };
}

function failureOf(error: unknown): Failure {
  if (error instanceof SourceChangedError) return 'changed';
  if (error instanceof SourceUnreachableError) return 'unreachable';
  if (error instanceof SourceConfigurationError) return 'configuration';
  return error instanceof UnverifiedSourceError ? 'unverified' : 'other';
}

try {
  send({ kind: 'done', ...(await work()), server: options.server });
} catch (error) {
  const { message, stack = message } = error as Error;
  const failure = failureOf(error);
  send({ kind: 'failed', failure, message: failure === 'other' ? stack : message });
}
port.close();
