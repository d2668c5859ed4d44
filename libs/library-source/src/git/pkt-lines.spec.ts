import fc from 'fast-check';
import { FLUSH, pktLine, readPktLines } from './pkt-lines.js';

async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const data = Buffer.from(text);
  for (let start = 0, turn = 0; start < data.length; turn += 1) {
    const end = start + sizes[turn % sizes.length]!;
    yield data.subarray(start, end);
    start = end;
  }
}

const linesOf = async (text: string, sizes: readonly number[] = [1_000]) => {
  const lines: (string | undefined)[] = [];
  for await (const line of readPktLines(cut(text, sizes))) lines.push(line?.toString());
  return lines;
};

test('lines come out whole and in order, wherever the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.string({ unit: 'grapheme', minLength: 1 }), { nil: undefined })),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (lines, sizes) => {
        const text = lines.map((line) => (line === undefined ? FLUSH : pktLine(line))).join('');
        expect(await linesOf(text, sizes)).toEqual(lines);
      },
    ),
  );
});

test('only a flush ends a message; delimiters are left out', async () => {
  expect(await linesOf('0006a\n00010006b\n00020000')).toEqual(['a\n', 'b\n', undefined]);
});

test.each([
  ['has a length that does not include itself', '0003', /not in git's protocol/],
  ['ends within a line', '000ahell', /ends in the middle of a line/],
  ['ends within a length', '00', /ends in the middle of a line/],
  ['is not a pkt-line stream', '<!DOCTYPE html>', /not in git's protocol/],
  ['has an overlong line', 'ffff', /not in git's protocol/],
])('a stream that %s is an error', async (_case, text, message) => {
  await expect(linesOf(text)).rejects.toThrow(message);
});
