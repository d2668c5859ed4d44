import { ByteTable } from '../values/byte-table.js';
import { EngineTable } from './engine-table.js';
import { startEngine } from './engine.js';

const MEMORY_BYTES = 506 << 20;

function startTable(): EngineTable {
  const engine = startEngine(MEMORY_BYTES)!;
  engine.setUp(false, 0, 1n, 2n, 3n, 4n);
  engine.setUpValues(1, 1, 0, false);
  return new EngineTable(engine, false);
}

test('entries have the numbers, lengths and bytes of those of a table in JavaScript', () => {
  const [table, expected] = [startTable(), new ByteTable()];
  const bytes = Buffer.from('abcdefghijklmnopqrstuvwxyz'.repeat(8));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let turn = 0; turn < 2; turn++) {
    for (let end = 0; end <= 200; end++) {
      for (const start of [0, end >>> 1, end])
        expect(table.intern(bytes, view, start, end)).toBe(expected.intern(bytes, view, start, end));
    }
  }
  expect(table.size).toBe(expected.size);
  for (let entry = 0; entry < expected.size; entry++) {
    const [copied, wanted] = [Buffer.alloc(210), Buffer.alloc(210)];
    table.copy(entry, copied, 3);
    expected.copy(entry, wanted, 3);
    expect([table.lengthOf(entry), copied]).toEqual([expected.lengthOf(entry), wanted]);
  }
});

test('more entries than the engine has room for keep their numbers', () => {
  const table = startTable();
  const bytes = Buffer.alloc(4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = (1 << 21) + 5;
  const intern = (number: number): number => {
    view.setUint32(0, number);
    return table.intern(bytes, view, 0, 4);
  };
  let wrong = 0;
  for (let number = 0; number < count; number++) if (intern(number) !== number) wrong++;
  for (let number = 0; number < count; number += 1000) if (intern(number) !== number) wrong++;
  expect([wrong, table.size, table.lengthOf(7)]).toEqual([0, count, 4]);
  table.copy(count - 1, bytes, 0);
  expect(view.getUint32(0)).toBe(count - 1);
}, 60_000);
