// Loaded into each service that `npm start` runs: ends it, in order, as soon as its launcher has ended, even by SIGKILL. The
// launcher holds the other end of a pipe.
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** The first after standard input, output and error. */
const PIPE_FD = 3;

// Worker threads load it, too.
if (isMainThread) {
  const pipe = new Socket({ fd: PIPE_FD, readable: true, writable: false });
  pipe.on('error', () => undefined);
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume();
  pipe.unref();
}
