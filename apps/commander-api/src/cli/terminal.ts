import { escapeControls, escapeLine } from './escape-controls.js';

/** Where text goes: the part of `process.stdout` and `process.stderr` that the command line uses. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** The two standard streams, and the rules of what may reach them. */
export class Terminal {
  json = false;
  quiet = false;

  constructor(
    private readonly out: Output,
    private readonly err: Output,
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
