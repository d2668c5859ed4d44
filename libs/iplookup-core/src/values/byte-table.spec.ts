import fc from 'fast-check';
import { ByteTable } from './byte-table.js';

function intern(table: ByteTable, text: string, shift = 0): number {
  const bytes = Buffer.from(' '.repeat(shift) + text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return table.intern(bytes, view, shift, bytes.length);
}

function textOf(table: ByteTable, entry: number): string {
  const bytes = Buffer.alloc(table.lengthOf(entry));
  table.copy(entry, bytes, 0);
  return bytes.toString();
}

test('equal strings have one number, wherever they are stored; numbers ascend from 0', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ maxLength: 40 }), fc.nat(9))), (entries) => {
      const table = new ByteTable();
      const known = new Map<string, number>();
      for (const [text, shift] of entries) {
        if (!known.has(text)) known.set(text, known.size);
        expect(intern(table, text, shift)).toBe(known.get(text));
      }
      expect(table.size).toBe(known.size);
      for (const [text, entry] of known) expect(textOf(table, entry)).toBe(text);
    }),
  );
});

test('strings that differ in a single byte are distinguished', () => {
  for (let length = 1; length <= 40; length++) {
    const table = new ByteTable();
    intern(table, 'x'.repeat(length));
    for (let at = 0; at < length; at++) intern(table, `${'x'.repeat(at)}y${'x'.repeat(length - at - 1)}`);
    expect(table.size).toBe(length + 1);
  }
});

describe('strings with the same hash', () => {
  /** The same for all of them, as it may happen to be. */
  const HASH = 7;

  function find(table: ByteTable, text: string, shift: number): number {
    const bytes = Buffer.from(`${'<'.repeat(shift)}${text}>>>>>>>>`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found = table.findHashed(HASH, view, shift, shift + text.length);
    return found >= 0 ? found : -1 - table.add(bytes, view, shift, shift + text.length);
  }

  test('are distinguished by a single byte', () => {
    for (let length = 1; length <= 26; length++) {
      const table = new ByteTable();
      const texts = ['x'.repeat(length)];
      for (let at = 0; at < length; at++) texts.push(`${'x'.repeat(at)}y${'x'.repeat(length - at - 1)}`);
      for (const [entry, text] of texts.entries()) expect(find(table, text, entry % 5)).toBe(-1 - entry);
      for (const [entry, text] of texts.entries()) expect(find(table, text, entry % 3)).toBe(entry);
    }
  });

  test('are distinguished by their length', () => {
    const table = new ByteTable();
    const texts = Array.from({ length: 30 }, (_, length) => 'x'.repeat(length));
    for (const [entry, text] of [...texts].reverse().entries()) expect(find(table, text, 3)).toBe(-1 - entry);
    for (const [entry, text] of [...texts].reverse().entries()) expect(find(table, text, 1)).toBe(entry);
  });

  test('are found after the table has grown, and after being prefetched', () => {
    const table = new ByteTable();
    const text = (index: number) => `text ${index}`;
    for (let index = 0; index < 500; index++) find(table, text(index), 0);
    for (let index = 0; index < 20_000; index++) intern(table, `other ${index}`);
    table.prefetch(new Uint32Array(32).fill(HASH), 32);
    for (let index = 0; index < 500; index += 7) expect(find(table, text(index), 2)).toBe(index);
  });
});

test('memory use is approximated in chunks of 2 MiB, after a first one of 64 KiB', () => {
  const table = new ByteTable();
  expect(table.byteLength).toBe(0);
  intern(table, 'x');
  expect(table.byteLength).toBe(2 ** 16);
  for (const letter of 'abc') intern(table, letter.repeat(2 ** 20));
  expect(table.byteLength).toBe(2 ** 16 + 3 * 2 ** 21);
});

test('a first string that exceeds 64 KiB is stored, too', () => {
  const table = new ByteTable();
  const texts = ['a'.repeat(2 ** 16 - 7), 'b', 'c'.repeat(2 ** 20)];
  expect(texts.map((text) => intern(table, text))).toEqual([0, 1, 2]);
  expect(texts.map((_, entry) => textOf(table, entry) === texts[entry])).toEqual([true, true, true]);
});

test.each([2 ** 16, 2 ** 21])('a string that ends a chunk of %i bytes can be prefetched', (chunkBytes) => {
  const table = new ByteTable();
  const bytes = Buffer.from(`${'-'.repeat(chunkBytes - 8 - 9)}x`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = bytes.length - 1;
  for (const [hash, start, end] of [
    [0, 0, last],
    [1, last, bytes.length],
  ] as const) {
    table.findHashed(hash, view, start, end);
    table.add(bytes, view, start, end);
  }
  expect(table.byteLength).toBe(chunkBytes);
  table.prefetch(Uint32Array.of(0, 1), 2);
  expect(table.findHashed(1, view, last, bytes.length)).toBe(1);
});

test('a table grows over many slots and chunks', () => {
  const table = new ByteTable();
  const text = (i: number) => `value ${i} ${'-'.repeat(i % 50)}`;
  for (let i = 0; i < 100_000; i++) intern(table, text(i));
  expect(table.size).toBe(100_000);
  for (let i = 0; i < 100_000; i += 997)
    expect([intern(table, text(i)), textOf(table, i)]).toEqual([i, text(i)]);
});
