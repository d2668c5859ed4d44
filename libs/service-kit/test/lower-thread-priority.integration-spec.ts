import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';

const MODULE = new URL('../dist/runtime/lower-thread-priority.js', import.meta.url).href;
const PROGRAM = `
  import { getPriority } from 'node:os';
  import { lowerThreadPriority } from '${MODULE}';
  lowerThreadPriority(10);
  console.log(getPriority());
`;

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the nice value that an operator chose is never undercut, which only root may do', () => {
  const program = [process.execPath, '--input-type=module', '--eval', PROGRAM];
  const words = ['-n', String(15 - getPriority()), ...program];
  expect(execFileSync('nice', words, { encoding: 'utf8' })).toBe('19\n');
});
