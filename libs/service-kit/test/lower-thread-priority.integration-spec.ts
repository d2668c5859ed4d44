import { execFileSync } from 'node:child_process';

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
  expect(execFileSync('nice', ['-n', '15', ...program], { encoding: 'utf8' })).toBe('19\n');
});
