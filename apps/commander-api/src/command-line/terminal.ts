import type { Readable, Writable } from 'node:stream';
import { escapeControls, escapeLine } from './text.js';

/** Standard input: the part of `process.stdin` that commands use. */
export interface Input extends Readable {
  readonly isTTY?: boolean;
  /** A terminal has it. */
  setRawMode?(on: boolean): unknown;
}

/** Standard output or standard error: the part of `process.stdout` and `process.stderr` that commands use. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
}

/** All that text needs of an output. */
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

/** The two standard streams, and the rules of what may reach them. */
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

  /** A fault is told even with `--quiet`. Each line of `message` becomes one of its own. */
  fault(message: string): void {
    for (const line of message.split('\n')) this.err.write(`svccmd: ${escapeLine(line)}\n`);
  }

  private print(text: string): void {
    this.out.write(text.endsWith('\n') ? text : `${text}\n`);
  }
}
