import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { recordLog } from '@svc/test-servers';
import { collect, untilPrinted } from './example.js';

const FOLDER = fileURLToPath(new URL('../../../example-python-authorization-server', import.meta.url));

/** Debian's own interpreter: the one that python3-authlib is installed for. */
const PYTHON = '/usr/bin/python3';

/** The authorization server in Python, in its own process, on a given registry. */
export class PythonServer {
  private constructor(
    private readonly child: ChildProcess,
    /** Its whole output. */
    readonly printed: () => string,
    readonly url: string,
  ) {}

  static async start(registryUrl: string, registryToken: string): Promise<PythonServer> {
    const child = spawn(PYTHON, ['-m', 'authorization_server'], {
      cwd: FOLDER,
      env: {
        PATH: process.env['PATH'],
        PYTHONDONTWRITEBYTECODE: '1',
        REGISTRY_URL: registryUrl,
        REGISTRY_TOKEN: registryToken,
        AUTHORIZATION_SERVER_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = collect(child);
    await untilPrinted(child, printed, /^authorization server +\S+\n/m);
    const [, url = ''] = /^authorization server +(\S+)/m.exec(printed()) ?? [];
    return new PythonServer(child, printed, url);
  }

  /** @returns its exit status */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    const [status] = (await once(this.child, 'close')) as [number | null];
    recordLog(this.printed());
    return status;
  }
}
