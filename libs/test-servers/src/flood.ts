import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built one: tests import this file's source. */
const PROGRAM = fileURLToPath(new URL('../dist/flood-program.js', import.meta.url));

export interface FloodRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface FloodOptions {
  readonly url: string;
  readonly connections: number;
  /** A loopback address to send from; 127.0.0.1 if missing. */
  readonly from?: string;
  /** Sent in turn, over each connection as fast as responses come. */
  readonly requests: readonly FloodRequest[];
}

/** A caller at full speed, in a process of its own, so that it does not delay measurements. */
export class Flood {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves once the first response has come. */
  static async start(options: FloodOptions): Promise<Flood> {
    const child = fork(PROGRAM, { execArgv: [] });
    const flooding = once(child, 'message');
    child.send(options);
    await flooding;
    return new Flood(child);
  }

  /** @returns how often each status was received */
  async stop(): Promise<Map<string, number>> {
    const answered = once(this.child, 'message');
    this.child.send('stop');
    const [statuses] = (await answered) as [Record<string, number>];
    return new Map(Object.entries(statuses));
  }
}
