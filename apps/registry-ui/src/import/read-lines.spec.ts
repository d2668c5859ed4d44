import { readLines } from './read-lines.js';

test('the wanted lines are read, without secrets', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `{"n":${index + 1}}`);
  lines[6] = '{"client_id":"a","client_secret": "hush \\" hush","enabled":true}';
  const read = await readLines(new Blob([lines.join('\n')]), new Set([1, 7, 20_000]));
  expect([...read]).toEqual([
    [1, '{"n":1}'],
    [7, '{"client_id":"a","client_secret": "…","enabled":true}'],
    [20_000, '{"n":20000}'],
  ]);
});

test('a line that is not there is left out', async () => {
  expect([...(await readLines(new Blob(['a\n']), new Set([5])))]).toEqual([]);
});
