import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { MAX_LINE_BYTES, readLines, spoolBody } from './import-body.js';

let file: FileHandle;
beforeEach(async () => {
  const path = join(tmpdir(), `read-lines-${process.pid}-${Math.random()}`);
  file = await open(path, 'wx+');
  await unlink(path);
});
afterEach(async () => file.close());

async function read(text: string | Buffer, maxLines = 3) {
  await file.truncate(0);
  await file.write(Buffer.from(text), 0, null, 0);
  const batches: [number, string][][] = [];
  for await (const batch of readLines(file, maxLines)) {
    batches.push(batch.map(({ number, bytes }) => [number, bytes.toString()]));
  }
  return batches;
}

test('batches have the lines and their numbers; blank lines are only counted', async () => {
  expect(await read('a\n\nb\r\n \t\nc\nd')).toEqual([
    [
      [1, 'a'],
      [3, 'b\r'],
      [5, 'c'],
    ],
    [[6, 'd']],
  ]);
  expect(await read('')).toEqual([]);
  expect(await read('\n\n')).toEqual([]);
});

test('a batch is hardly larger than the longest line', async () => {
  const line = 'x'.repeat(MAX_LINE_BYTES - 1);
  const batches = await read(`a\n${line}\nb\n`, 100);
  expect(batches.map((batch) => batch.map(([number]) => number))).toEqual([[1, 2], [3]]);
});

test('an overlong line is truncated, and the next one is complete', async () => {
  const [[long] = [], [next] = []] = await read(`${'x'.repeat(3 * MAX_LINE_BYTES)}\nb`);
  expect([long?.[0], long?.[1].length, next]).toEqual([1, MAX_LINE_BYTES + 1, [2, 'b']]);
});

test('the lines are the same, wherever chunks end', async () => {
  const line = fc.oneof(
    fc.stringMatching(/^[a-z]{1,5}$/),
    fc.integer({ min: 262_100, max: 262_200 }).map((length) => 'y'.repeat(length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
      const batches = await read(lines.join('\n'), 2);
      expect(batches.flat().map(([, text]) => text)).toEqual(lines);
    }),
    { numRuns: 40 },
  );
});

test('a folder for temporary files that cannot be used is an error with the remedy, and the rest of the body is read', async () => {
  const body = Readable.from(['a\n', 'b\n']);
  await expect(spoolBody(body, join(tmpdir(), 'missing', 'folder'))).rejects.toMatchObject({
    code: 'no_temporary_folder',
    message:
      'the folder for temporary files cannot be used (ENOENT); set TMPDIR to one that the registry can write to',
  });
  await finished(body);
});
