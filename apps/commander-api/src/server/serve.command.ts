import { once } from 'node:events';
import { startSparingly } from '@svc/service-kit/start-sparingly';
import { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import type { startCommander } from './start-commander.js';

export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description(
      'Serves the HTTP API until SIGTERM or SIGINT, then finishes what is under way and ends with 0.',
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
    return await startSparingly(async () => {
      // The framework is loaded only when the server starts: help does without.
      const { startCommander } = await import('./start-commander.js');
      return startCommander(config);
    });
  } catch (error) {
    const fault = listenFault(error as NodeJS.ErrnoException, config.http);
    if (fault === undefined) throw error;
    throw new CommanderError('configuration', fault, { cause: error });
  }
}

/** Which setting is to be changed when the server cannot listen. */
function listenFault(
  { code, syscall }: NodeJS.ErrnoException,
  { address, port }: CommanderConfig['http'],
): string | undefined {
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `http.address: ${address} is no address of this machine (${code}); set one, such as 127.0.0.1 or 0.0.0.0`;
  }
  if (code === 'EADDRINUSE') {
    return `http.port: another program listens on ${address} port ${port} (EADDRINUSE); end it, or set another port`;
  }
  if (code === 'EACCES') {
    return `http.port: no right to listen on ${address} port ${port} (EACCES); set one from 1024 on`;
  }
  return undefined;
}
