import type { DestinationStream } from 'pino';

/** pino tells a destination that carries this the level of each line, as `lastLevel`. */
const WANTS_LEVEL = Symbol.for('pino.metadata');

/** pino's number for `warn`. */
const WARN = 40;

/** How long a line below `warn` may wait for others, in milliseconds. */
const MAX_WAIT_MS = 50;

/** Characters that wait at most; with them the buffer is written, whatever its age. */
const MAX_HELD = 64 * 1024;

/**
 * Gathers lines, so that a busy service makes one system call for hundreds of them. What is `warn` or worse is written at
 * once, with all before it; so is a line that comes after a pause. Nothing is dropped: when the reader of the log is slow,
 * the service waits for it, as it does without a buffer. Whatever ends the process but a signal that cannot be handled
 * writes what is held; after such a one the lines of the last 50 ms are missing.
 */
export class LogDestination implements DestinationStream {
  readonly [WANTS_LEVEL] = true;
  lastLevel = 0;
  private held = '';
  private lastWriteAt = -MAX_WAIT_MS;
  private timer: NodeJS.Timeout | undefined;

  /** @param out writes before it returns */
  constructor(private readonly out: DestinationStream) {
    process.on('exit', () => this.flush());
  }

  write(line: string): void {
    this.held += line;
    const isDue = performance.now() - this.lastWriteAt >= MAX_WAIT_MS;
    if (isDue || this.lastLevel >= WARN || this.held.length >= MAX_HELD) return this.flush();
    this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.held === '') return;
    const lines = this.held;
    this.held = '';
    this.out.write(lines);
    this.lastWriteAt = performance.now();
  }
}
