import { runInProcess } from '../../test/shell/run-in-process.js';
import { EXIT } from '../errors/commander-error.js';

/** The configuration file does not exist: reading it would be the error. */
async function refusalOf(line: string): Promise<{ exitCode: number | undefined; err: string }> {
  const { code, stderr } = await runInProcess(['-c', 'missing.conf', ...line.split(' ')]);
  return { exitCode: code, err: stderr };
}

test.each([
  [
    'library load --prune-all --no-prune',
    "option '--prune-all' cannot be used with option '--no-prune'; see svccmd library load --help",
  ],
  [
    'library load --no-prune --prune-all',
    "option '--prune-all' cannot be used with option '--no-prune'; see svccmd library load --help",
  ],
  ['library rollback 2 --to 1', 'pass either [steps] or --to, not both'],
  [
    'library rollback 0',
    '[steps] must be a whole number from 1, not "0"; see svccmd library rollback --help',
  ],
  [
    'library load --wait forever',
    "option '--wait [seconds]' argument 'forever' is invalid. It must be a number of seconds up to 86400; see svccmd library load --help",
  ],
])('"%s" is refused before anything is read', async (line, refusal) => {
  expect(await refusalOf(line)).toEqual({ exitCode: EXIT.usage, err: `svccmd: ${refusal}\n` });
});
