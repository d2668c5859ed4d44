import fc from 'fast-check';
import { ByteWriter } from '../mmdb/byte-writer.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import { CHUNK_ROWS, RowStore } from '../rows/row-store.js';
import { EngineRowRecords } from './engine-row-records.js';
import { PIECE_BYTES } from './row-records.js';

const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });

/** Encoded cells of a record, and how many they are: numbers around those at which a map's control bytes change. */
const template = fc.record({
  cells: bytes(1, 70),
  columns: fc.oneof(fc.nat(40), fc.constantFrom(26, 27, 282, 283, 65_818, 65_819, 70_000)),
});

const address = fc.oneof(
  fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(0, 9, 10, 99, 100, 199, 200, 255))),
  fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255))),
);

const wordOf = (octets: readonly number[]): number => Buffer.from(octets).readUInt32BE();

function storeOf(rows: readonly (readonly [number, number, number])[]): RowStore {
  const store = new RowStore(1);
  for (const [first, last, record] of rows) store.append(Uint32Array.of(first, last), 0, 1, record, 1);
  return store;
}

/** The templates as `RecordTemplates` keeps them. */
function templatesOf(all: readonly { readonly cells: Uint8Array; readonly columns: number }[]) {
  let start = 0;
  const table = all.flatMap(({ cells, columns }) => {
    start += cells.length;
    return [start - cells.length, cells.length, columns + 1];
  });
  return {
    table: Uint32Array.from(table),
    cells: Buffer.concat(all.map(({ cells }) => cells)),
    longest: Math.max(...all.map(({ cells }) => cells.length)),
  };
}

test('records have the map, both keys with the addresses as text, and the cells', () => {
  const templates = fc.array(template, { minLength: 1, maxLength: 5 });
  const rows = fc.array(fc.record({ first: address, last: address, template: fc.nat(4) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(templates, rows, bytes(2, 8), bytes(2, 8), (templates, rows, firstKey, lastKey) => {
      const expected = new ByteWriter();
      for (const { first, last, template } of rows) {
        const { cells, columns } = templates[template % templates.length]!;
        expected.control(TYPE.map, columns + 2);
        expected.raw(firstKey, 0, firstKey.length);
        expected.text(first.join('.'));
        expected.raw(lastKey, 0, lastKey.length);
        expected.text(last.join('.'));
        expected.raw(cells, 0, cells.length);
      }
      const store = storeOf(
        rows.map(({ first, last, template }) => [wordOf(first), wordOf(last), template % templates.length]),
      );
      const records = EngineRowRecords.start(store, templatesOf(templates), [firstKey, lastKey])!;
      expect(records.encode(0, rows.length)).toBe(rows.length);
      const written = expected.bytes.subarray(0, expected.length);
      expect(Buffer.from(records.take()).equals(written)).toBe(true);
      expect(records.length).toBe(0);
    }),
  );
});

test('rows of several arrays, between bytes that are written as they are, in pieces', () => {
  const count = 2 * CHUNK_ROWS + 100;
  const store = storeOf(Array.from({ length: count }, (_, row) => [row * 70_001, row * 70_001 + 5, row % 3]));
  const cells = [1, 50, 16].map((size, at) => ({ cells: new Uint8Array(size).fill(at + 1), columns: at }));
  const key = Uint8Array.of(0x20, 7);
  const records = EngineRowRecords.start(store, templatesOf(cells), [key, key])!;
  const pieces: Buffer[] = [];
  for (let row = 0; row < count;) {
    records.raw(Uint8Array.of(9, 8, 7, 6), 1, 3);
    row = records.encode(row, Math.min(count, row + 9_000));
    if (records.length >= PIECE_BYTES) pieces.push(Buffer.from(records.take()));
  }
  pieces.push(Buffer.from(records.take()));
  expect(pieces.length).toBeGreaterThan(1);
  for (const { length } of pieces) expect(length).toBeLessThan(PIECE_BYTES + 200);

  const all = Buffer.concat(pieces);
  let at = 0;
  for (let row = 0; row < count; row++) {
    if (all[at] === 8) at += 2;
    const text = [0, 5]
      .map((more) => Buffer.from(Uint32Array.of(row * 70_001 + more).buffer).reverse())
      .map((octets) => [...octets].join('.'));
    const [first, last] = text.map((each) =>
      Buffer.concat([key, Buffer.of((TYPE.string << 5) | each.length), Buffer.from(each)]),
    );
    const record = Buffer.concat([
      Buffer.of((TYPE.map << 5) | ((row % 3) + 2)),
      first!,
      last!,
      cells[row % 3]!.cells,
    ]);
    if (!all.subarray(at, at + record.length).equals(record)) throw new Error(`row ${row} differs`);
    at += record.length;
  }
  expect(at).toBe(all.length);
});
