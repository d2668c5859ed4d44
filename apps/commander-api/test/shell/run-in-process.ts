import { Readable, Writable } from 'node:stream';
import type { CommandEntry } from '../../src/command-line/command-context.js';
import { COMMANDS } from '../../src/command-table.js';
import { runCommandLine } from '../../src/command-line/run-command-line.js';
import type { Ended, RunOptions } from './run-svccmd.js';

export interface InProcessOptions extends Partial<RunOptions> {
  readonly commands?: readonly CommandEntry[];
  readonly version?: string;
  readonly signal?: AbortSignal;
  /** Instead of `input`. */
  readonly stdin?: Readable;
  /** Takes each piece of the output, too, as it comes. */
  readonly onOutput?: (piece: string) => void;
}

/**
 * Runs svccmd to its end in this process, with streams and an environment of its own. With `cwd` the process's working
 * folder changes meanwhile, so two runs in different folders must not overlap.
 *
 * @returns `code` undefined when `signal` interrupted the command
 */
export async function runInProcess(argv: readonly string[], options: InProcessOptions = {}): Promise<Ended> {
  const { cwd, input = '', env = {}, commands = COMMANDS, version = '1.2.3', signal, stdin } = options;
  const [out, err] = [new Collector(options.onOutput), new Collector(options.onOutput)];
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const code = await runCommandLine({
      argv,
      commands,
      version,
      stdin: stdin ?? Readable.from([Buffer.from(input)], { objectMode: false }),
      stdout: out,
      stderr: err,
      env,
      signal: signal ?? new AbortController().signal,
    });
    return { code, stdout: out.text, stderr: err.text };
  } finally {
    process.chdir(before);
  }
}

class Collector extends Writable {
  private readonly chunks: Buffer[] = [];

  constructor(private readonly onPiece: (piece: string) => void = () => undefined) {
    super();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    this.onPiece(chunk.toString());
    done();
  }
}
