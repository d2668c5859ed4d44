import { ValueDecoder } from '../mmdb/decode-value.js';
import { TYPE } from '../mmdb/mmdb-format.js';
import { ByteWriter } from '../mmdb/byte-writer.js';
import { ABSENT, RecordPool } from './record-pool.js';

const COLUMNS = ['kind', 'a rather long name of a column'];

/** The number of a record with these texts; undefined leaves a column out. */
function record(pool: RecordPool, ...texts: (string | undefined)[]): number {
  for (const [column, text] of texts.entries())
    pool.setCell(column, text === undefined ? ABSENT : pool.intern((target) => target.text(text)));
  return pool.internCells();
}

test('records with equal values are one, whatever their source', () => {
  const pool = new RecordPool(COLUMNS);
  const first = record(pool, 'x', 'y');
  expect(record(pool, 'y', 'x')).toBe(first + 1);
  expect(record(pool, 'x', undefined)).toBe(first + 2);
  const bytes = Buffer.from('<x>');
  pool.setCell(0, pool.internText(bytes, 1, 2));
  pool.setCell(
    1,
    pool.intern((target) => target.text('y')),
  );
  expect(pool.internCells()).toBe(first);
  expect(pool.size).toBe(3);
});

test('a selected record has its cells', () => {
  const pool = new RecordPool(COLUMNS);
  const full = record(pool, 'x', 'y');
  const part = record(pool, undefined, 'y');
  const none = record(pool, undefined, undefined);
  expect([full, part, none].map((number) => pool.countCells(number))).toEqual([2, 1, 0]);
  pool.select(part);
  const y = pool.cell(1);
  expect(pool.cell(0)).toBe(ABSENT);
  pool.select(full);
  expect([pool.cell(0) !== ABSENT, pool.cell(1)]).toEqual([true, y]);
});

test('a value is stored on first use; later uses are pointers if shorter', () => {
  const pool = new RecordPool(COLUMNS);
  const data = new ByteWriter();
  const long = 'a value of many letters';
  const numbers = [record(pool, 'x', long), record(pool, long, 'x'), record(pool, undefined, long)];
  const starts: number[] = [];
  for (const number of numbers) {
    // Like the record writer: into a separate buffer, appended to the section later.
    const target = new ByteWriter();
    starts.push(data.length);
    target.control(TYPE.map, pool.countCells(number));
    pool.writeCells(target, data.length);
    data.reserve(target.length);
    target.bytes.copy(data.bytes, data.length, 0, target.length);
    data.length += target.length;
  }
  const decoder = new ValueDecoder(data.bytes, 0, data.length);
  expect(starts.map((start) => decoder.decode(start))).toEqual([
    { [COLUMNS[0]!]: 'x', [COLUMNS[1]!]: long },
    { [COLUMNS[0]!]: long, [COLUMNS[1]!]: 'x' },
    { [COLUMNS[1]!]: long },
  ]);
  const text = data.bytes.toString('latin1', 0, data.length);
  for (const value of [...COLUMNS, long]) expect(text.split(value)).toHaveLength(2);
  // A text of one letter takes two bytes, as a pointer does: it is written again.
  expect(text.split('Ax')).toHaveLength(3);
});
