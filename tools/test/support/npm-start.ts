import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@svc/test-servers';

/** `npm start` of a checkout, on ports of its own. */
export interface StartedPair {
  readonly registryPort: number;
  readonly commanderPort: number;
  readonly process: ChildProcess;
  /** All that it printed. */
  readonly printed: string;
  /** By Ctrl-C. */
  stop(): Promise<number | null>;
}

/** A build would replace outputs that other tests are using at the same time. */
const LAUNCHER = [process.execPath, 'tools/start.mjs', '--no-build'];

/**
 * Resolves once both services are ready.
 *
 * @param root of a built checkout
 * @param home its state, in place of `.svc`
 */
export async function startPair(
  root: string,
  home: string,
  [program = '', ...words]: readonly string[] = LAUNCHER,
): Promise<StartedPair> {
  const [registryPort, commanderPort] = [await freePort(), await freePort()];
  const child = spawn(program, words, {
    cwd: root,
    env: {
      ...process.env,
      SVC_HOME: home,
      SVC_REGISTRY_PORT: String(registryPort),
      SVC_COMMANDER_PORT: String(commanderPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Ctrl-C stops both.')) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (status) => reject(new Error(`it ended with status ${status}: ${printed}`)));
  });
  return {
    ...{ registryPort, commanderPort, printed },
    process: child,
    stop: async () => {
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGINT');
      return (await exited)[0];
    },
  };
}
