import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { splitCommand } from './split-command.js';

test.each([
  ['pass show encpwd', ['pass', 'show', 'encpwd']],
  ['  vault\tkv  get ', ['vault', 'kv', 'get']],
  [`sh -c 'gpg -d "a b.gpg" | head -1'`, ['sh', '-c', 'gpg -d "a b.gpg" | head -1']],
  [`cat "/etc/it's here"`, ['cat', "/etc/it's here"]],
  [`echo a'b c'd ''`, ['echo', 'ab cd', '']],
  [`echo $HOME \\n *`, ['echo', '$HOME', '\\n', '*']],
])('%j has the words %j', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test.each(['', '  ', `''`, `echo "a`, `echo 'a`])('%j is not a command', (command) => {
  expect(splitCommand(command)).toBeUndefined();
});

test('words are those of sh, where neither has anything else that is special', () => {
  const command = fc
    .array(fc.stringMatching(/^([a-z. ]|'[a-z "]{0,3}'|"[a-z ']{0,3}"){1,6}$/), {
      minLength: 1,
      maxLength: 4,
    })
    .map((words) => words.join(' '));
  const commands = fc.sample(command, { numRuns: 40, seed: 7 });
  const script = commands
    .map((line) => `for word in ${line}; do printf '%s\\0' "$word"; done; printf '\\n'`)
    .join('\n');
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  const expected = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1));
  for (const [index, line] of commands.entries())
    expect([line, splitCommand(`x ${line}`)]).toEqual([line, ['x', ...expected[index]!]]);
});
