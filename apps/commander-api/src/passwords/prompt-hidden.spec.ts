import { PassThrough } from 'node:stream';
import { promptHidden, type HiddenInput } from './prompt-hidden.js';

/** A terminal on which `typed` is typed, chunk by chunk. */
function typing(typed: readonly string[]) {
  const stream = new PassThrough();
  const modes: boolean[] = [];
  const input: HiddenInput = Object.assign(stream, { setRawMode: (on: boolean) => modes.push(on) });
  const shown: string[] = [];
  const ask = async (signal = new AbortController().signal) => {
    const answer = promptHidden('Password: ', input, { write: (text) => shown.push(text) }, signal);
    answer.catch(() => undefined);
    for (const chunk of typed) {
      stream.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return answer;
  };
  return { ask, modes, shown };
}

test.each([
  ['a line', ['hunter2\r'], 'hunter2'],
  ['key by key', [...'hunter2', '\r'], 'hunter2'],
  ['a line feed', ['hunter2\n'], 'hunter2'],
  ['backspace in both forms', ['hunx\b\u007fnter2\r'], 'hunter2'],
  ['backspace over a character of two code units', ['a🐎\u007fb\r'], 'ab'],
  ['Ctrl-U', ['wrong\u0015hunter2\r'], 'hunter2'],
  ['Ctrl-D', ['hunter2\u0004'], 'hunter2'],
  ['arrow keys', ['hunt\u001b[D\u001bOCer2\r'], 'hunter2'],
  ['other controls', ['hun\u0001ter2\r'], 'hunter2'],
  ['letters of any script and a tab', ['žluť\t密\r'], 'žluť\t密'],
  ['nothing', ['\r'], ''],
])('reads %s', async (_case, typed, password) => {
  expect(await typing(typed).ask()).toBe(password);
});

test('shows the question and no key', async () => {
  const { ask, shown } = typing(['hunter2\r']);
  await ask();
  expect(shown).toEqual(['Password: ', '\n']);
});

test('leaves the terminal as it was, also when it is aborted', async () => {
  const { ask, modes } = typing(['hunt']);
  await expect(ask(AbortSignal.timeout(1))).rejects.toThrow();
  expect(modes).toEqual([true, false]);
});

test('type-ahead answers the next prompt', async () => {
  const stream = new PassThrough();
  const input: HiddenInput = Object.assign(stream, { setRawMode: () => undefined });
  const ask = () => promptHidden('', input, { write: () => undefined }, new AbortController().signal);
  stream.write('first\rsecond\r');
  expect(await ask()).toBe('first');
  expect(await ask()).toBe('second');
});
