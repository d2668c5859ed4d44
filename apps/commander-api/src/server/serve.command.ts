import { once } from 'node:events';
import { startWithLowMemory } from '@svc/service-kit/start-with-low-memory';
import { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import type { startCommander } from './start-commander.js';

export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description(
      'Serve the HTTP API until SIGTERM or SIGINT, then finish requests in progress and exit with 0.',
    )
    .action(async () => serve(context));
}

async function serve({ config, signal }: CommandContext): Promise<void> {
  const service = await start(config());
  if (!signal.aborted) await once(signal, 'abort');
  await service.close();
}

async function start(config: Parameters<typeof startCommander>[0]): ReturnType<typeof startCommander> {
  try {
    return await startWithLowMemory(async () => {
      // Load the framework only when the server starts, so that help stays fast.
      const { startCommander } = await import('./start-commander.js');
      return startCommander(config);
    });
  } catch (error) {
    const reason = describeListenError(error as NodeJS.ErrnoException, config.http);
    if (reason === undefined) throw error;
    throw new CommanderError('configuration', reason, { cause: error });
  }
}

/** Explains why the server cannot listen, and which setting to change. */
function describeListenError(
  { code, syscall }: NodeJS.ErrnoException,
  { address, port }: CommanderConfig['http'],
): string | undefined {
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `http.address: ${address} is not an address of this machine (${code}); set one that is, or 0.0.0.0 for all`;
  }
  if (code === 'EADDRINUSE') {
    return `http.port: another program is already listening on ${address} port ${port} (EADDRINUSE); stop it, or set another port`;
  }
  if (code === 'EACCES') {
    return `http.port: permission denied to listen on ${address} port ${port} (EACCES); set a port of 1024 or above`;
  }
  return undefined;
}
