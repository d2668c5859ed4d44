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

test('equal strings have one number, wherever they lie; numbers rise from 0', () => {
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

test('strings that differ in any one byte are told apart', () => {
  for (let length = 1; length <= 40; length++) {
    const table = new ByteTable();
    intern(table, 'x'.repeat(length));
    for (let at = 0; at < length; at++) intern(table, `${'x'.repeat(at)}y${'x'.repeat(length - at - 1)}`);
    expect(table.size).toBe(length + 1);
  }
});

test('a table grows over many slots and chunks', () => {
  const table = new ByteTable();
  const text = (i: number) => `value ${i} ${'-'.repeat(i % 50)}`;
  for (let i = 0; i < 100_000; i++) intern(table, text(i));
  expect(table.size).toBe(100_000);
  for (let i = 0; i < 100_000; i += 997)
    expect([intern(table, text(i)), textOf(table, i)]).toEqual([i, text(i)]);
});
