import type { LibrarySettings } from '../config/commander-config.js';
import { chooseLibrary, splitWords } from './choose-library.js';

const config = (...names: (string | undefined)[]) => ({
  libraries: names.map((name) => ({ name }) as LibrarySettings),
});

test.each([
  ['the unnamed one', config(undefined), undefined, undefined],
  ['the unnamed one beside others', config(undefined, 'a'), undefined, undefined],
  ['the only one', config('a'), undefined, 'a'],
  ['the one named', config(undefined, 'a', 'b'), 'b', 'b'],
])('chooses %s', (_case, configured, word, name) => {
  expect(chooseLibrary(configured, word).name).toBe(name);
});

test.each([
  [
    config('a', 'b'),
    undefined,
    'several libraries are configured; pass the name of one as an argument: a, b',
  ],
  [config(undefined, 'a', 'b'), 'c', 'no library is named "c"; named libraries: a, b'],
  [config(undefined), 'c', 'no library is named "c"; named libraries: none'],
])('the error lists the names', (configured, word, message) => {
  expect(() => chooseLibrary(configured, word)).toThrow(
    expect.objectContaining({ message, exitCode: 2 }) as Error,
  );
});

test.each([
  ['nothing', [undefined, undefined], {}],
  ['a name', ['a', undefined], { name: 'a' }],
  ['a folder', ['./a', undefined], { other: './a' }],
  ['both', ['x', 'a'], { name: 'x', other: 'a' }],
] as const)('%s before a folder', (_case, [first, second], expected) => {
  expect(splitWords(config('a', 'b'), first, second)).toEqual(expected);
});
