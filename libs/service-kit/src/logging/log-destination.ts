import type { DestinationStream } from 'pino';

/** Makes pino set `lastLevel` to the level of each line. */
const WANTS_LEVEL = Symbol.for('pino.metadata');

/** pino's `warn` level. */
const WARN = 40;

/** How long a line below `warn` may stay in the buffer. */
const MAX_WAIT_MS = 50;

/** The buffer is written once it holds this many characters. */
const MAX_HELD = 64 * 1024;

/**
 * Buffers lines, so that a busy service makes one system call for hundreds of them. Lines of `warn` or worse are written at once,
 * with all before them; so is a line that follows a pause. No line is dropped: if the reader of the log is slow, the service
 * waits, as it would without a buffer. The buffer is written when the process exits; only SIGKILL loses the last 50 ms.
 */
export class LogDestination implements DestinationStream {
  readonly [WANTS_LEVEL] = true;
  lastLevel = 0;
  private held = '';
  private lastWriteAt = -MAX_WAIT_MS;
  private timer: NodeJS.Timeout | undefined;

  /** @param out writes synchronously */
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
