import { readFileSync } from 'node:fs';
import { EMPTY_CONTEXT } from '../test/shell/empty-context.js';
import { COMMAND_EXAMPLES } from './command-line/command-examples.js';
import { commandReference } from './command-line/command-reference.js';
import { COMMANDS } from './command-table.js';
import { buildProgram } from './command-line/program.js';

test('docs/svccmd-reference.md is what --help prints (node tools/docs.mjs writes it)', async () => {
  const page = readFileSync(new URL('../../../docs/svccmd-reference.md', import.meta.url), 'utf8');
  expect(page).toBe(await commandReference(COMMANDS, EMPTY_CONTEXT));
});

test('every command has an example, and every example is of an existing command', async () => {
  const reference = await commandReference(COMMANDS, EMPTY_CONTEXT);
  const paths = [...reference.matchAll(/^## svccmd ?(.*)$/gm)].map(([, path]) => path!);
  expect(Object.keys(COMMAND_EXAMPLES).sort()).toEqual(paths.sort());
});

const LINES = Object.values(COMMAND_EXAMPLES).flatMap((examples) => examples.map(({ line }) => line));

/** The words as a shell would hand them over, without what goes to files. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/ [<>|] /);
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}

test.each(LINES)('%s is a right command line', async (line) => {
  const words = wordsOf(line);
  const settings = { json: false, quiet: false, configFile: undefined };
  const output = { version: '', writeOut: () => undefined, writeErr: () => undefined };
  const program = await buildProgram(COMMANDS, words, EMPTY_CONTEXT, settings, output);
  let ran = '';
  const replaceActions = (command: typeof program): void => {
    command.action(() => void (ran = command.name()));
    command.commands.forEach(replaceActions);
  };
  program.commands.forEach(replaceActions);
  await program.parseAsync(words, { from: 'user' });
  expect(words).toContain(ran);
});
