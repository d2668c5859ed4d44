import type { Readable, Writable } from 'node:stream';
import { escapeControls, escapeLine } from '@svc/foundation';

/** Standard input: the part of `process.stdin` that commands use. */
export interface Input extends Readable {
  readonly isTTY?: boolean;
  /** Present on a terminal. */
  setRawMode?(on: boolean): unknown;
}

/** Standard output or standard error: the part of `process.stdout` and `process.stderr` that commands use. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
}

/** What printing text needs of an output. */
export interface TextOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The standard streams of a command line. */
export interface StandardStreams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The output streams, and the rules for what may be printed. */
export class Terminal {
  json = false;
  quiet = false;

  constructor(
    private readonly out: TextOutput,
    private readonly err: TextOutput,
  ) {}

  get interactive(): boolean {
    return this.err.isTTY === true && !this.json && !this.quiet;
  }

  answer(text: string, value: unknown, raw: boolean): void {
    if (this.json) return this.print(escapeControls(JSON.stringify(value, null, 2)));
    if (raw && this.out.isTTY !== true) this.out.write(text);
    else this.print(escapeControls(text));
  }

  note(line: string): void {
    if (!this.quiet) this.err.write(`${escapeLine(line)}\n`);
  }

  /** Prints each line of an error, even with `--quiet`. */
  error(message: string): void {
    for (const line of message.split('\n')) this.err.write(`svccmd: ${escapeLine(line)}\n`);
  }

  private print(text: string): void {
    this.out.write(text.endsWith('\n') ? text : `${text}\n`);
  }
}
