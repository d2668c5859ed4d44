import { once } from 'node:events';
import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { CommandError } from '../cli/exit-code.js';
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
  // The framework is loaded only when the server starts: help does without.
  const { startCommander } = await import('./start-commander.js');
  try {
    return await startCommander(config);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const { address, port } = config.http;
    if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new CommandError(
        `cannot listen on ${address} port ${port} (${code}); set http.address and http.port`,
        undefined,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}
