import type { CommandContext } from './command-context.js';
import { COMMANDS } from './command-table.js';

const context: CommandContext = {
  config: () => {
    throw new Error('help needs no configuration');
  },
  answer: () => undefined,
  note: () => undefined,
  interactive: false,
  signal: new AbortController().signal,
};
const settings = { json: false, quiet: false, configFile: undefined };

test.each(COMMANDS)('$name loads under its own name and describes itself and all below it', async (entry) => {
  const command = await entry.load(context, settings);
  expect(command.name()).toBe(entry.name);
  for (const one of [command, ...command.commands]) expect(one.description()).toMatch(/^[A-Z].*\.$/s);
});
