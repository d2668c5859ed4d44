import { EMPTY_CONTEXT } from '../test/shell/empty-context.js';
import { COMMANDS } from './command-table.js';

const settings = { json: false, quiet: false, configFile: undefined };

test.each(COMMANDS)('$name loads under its own name and describes itself and all below it', async (entry) => {
  const command = await entry.load(EMPTY_CONTEXT, settings);
  expect(command.name()).toBe(entry.name);
  for (const one of [command, ...command.commands]) expect(one.description()).toMatch(/^[A-Z].*\.$/s);
});
