import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two bytes of a caller who sends slowly, in milliseconds. */
const BYTE_MS = 1_000;

/** TCP's state of a connection that neither side has closed, as /proc/net/tcp has it. */
const ESTABLISHED = '01';

/** A connection whose caller sends a byte at a time, or does not read. */
export class SlowCaller {
  private answer = '';

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
  }

  /** Sends `head` at once and then a byte each second. */
  static async sending(url: string, head: string): Promise<SlowCaller> {
    const caller = await SlowCaller.connect(url);
    caller.socket.on('data', (chunk: Buffer) => (caller.answer += chunk.toString()));
    caller.socket.write(head);
    const timer = setInterval(() => caller.socket.write('x'), BYTE_MS);
    caller.socket.once('close', () => clearInterval(timer));
    return caller;
  }

  /** Sends a whole request, reads the beginning of the answer, and then nothing more. */
  static async notReading(url: string, request: string): Promise<SlowCaller> {
    const caller = await SlowCaller.connect(url);
    caller.socket.write(request);
    const [chunk] = (await once(caller.socket, 'data')) as [Buffer];
    caller.answer = chunk.toString();
    caller.socket.pause();
    return caller;
  }

  private static async connect(url: string): Promise<SlowCaller> {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new SlowCaller(socket);
  }

  /** Of the answer; 0 when there was none. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.answer)?.[1] ?? 0);
  }

  get port(): number | undefined {
    return this.socket.localPort;
  }

  close(): void {
    this.socket.destroy();
  }
}

/**
 * Resolves once the server has ended the connections of all these. The callers' own ends do not tell: who does not read
 * does not learn that there is nothing more to read.
 */
export async function allEnded(url: string, callers: readonly SlowCaller[]): Promise<void> {
  const ports = new Set(callers.map(({ port }) => port));
  const isOpen = async () =>
    [...(await callersOf(Number(new URL(url).port)))].some((port) => ports.has(port));
  while (await isOpen()) await sleep(200);
}

/** The callers' ports of connections that a server on this machine keeps open (on Linux). */
async function callersOf(port: number): Promise<Set<number>> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  const portOf = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16);
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const open = rows.filter(([, local, , state]) => state === ESTABLISHED && portOf(local) === port);
  return new Set(open.map(([, , remote]) => portOf(remote)));
}
