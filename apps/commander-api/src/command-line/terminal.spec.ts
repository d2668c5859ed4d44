import { Terminal } from './terminal.js';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) };
  return { written, terminal: new Terminal(stream, stream) };
}

test('raw data reaches a pipe byte for byte, and a terminal escaped as a line', () => {
  const pipe = terminal(false);
  pipe.terminal.answer('a\u001bb', undefined, true);
  expect(pipe.written).toEqual(['a\u001bb']);
  const screen = terminal(true);
  screen.terminal.answer('a\u001bb', undefined, true);
  expect(screen.written).toEqual(['a\\u001bb\n']);
});

test('escaped JSON parses to the same value', () => {
  const { terminal: line, written } = terminal(false);
  line.json = true;
  line.answer('', { name: 'a\u009b\u202eb\n' }, false);
  expect(written.join('')).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(written.join(''))).toEqual({ name: 'a\u009b\u202eb\n' });
});

test.each([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal with --quiet', true, { quiet: true }, false],
  ['a terminal with --json', true, { json: true }, false],
])('progress on %s: %j', (_case, isTTY, flags, interactive) => {
  expect(Object.assign(terminal(isTTY).terminal, flags).interactive).toBe(interactive);
});
