import { isDeepStrictEqual } from 'node:util';
import { parseString } from 'fast-csv';
import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { CellReader } from './cell-reader.js';
import { FieldBounds, INCOMPLETE, scanRecord, UNCLOSED_QUOTE } from './scan-record.js';

/** A CSV dialect, and a text in it. */
interface Sample {
  readonly text: string;
  readonly separator: string;
}

const LF = 10;

const SEPARATORS = [',', ';', '\t', '|', '#', '~', ' '];

/** Chooses unnecessary quotes, line endings and blank lines. */
const choices = fc.infiniteStream(fc.nat(7));

const value = fc
  .array(fc.constantFrom('a', 'b', '0', '.', '-', ...SEPARATORS, '"', '\r', '\n', '\r\n', 'é', '語', '😀'), {
    maxLength: 6,
  })
  .map((characters) => characters.join(''));

/** Rows with a range of their own each, so that each can be looked up; a header unless `named` is false. */
function sampleOf(maxRows: number): fc.Arbitrary<Sample> {
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: maxRows }),
    );
  return fc
    .tuple(rows, fc.constantFrom(...SEPARATORS), fc.boolean(), choices)
    .map(([values, separator, marked, chosen]) => {
      const names = ['ip_from', 'ip_to', ...values[0]!.map((_, index) => `column ${index}`)];
      const ranges = values.map((cells, index) => [`10.0.${index}.0`, `10.0.${index}.200`, ...cells]);
      return { text: `${marked ? '\ufeff' : ''}${write([names, ...ranges], separator, chosen)}`, separator };
    });
}

function write(rows: readonly (readonly string[])[], separator: string, chosen: Iterator<number>): string {
  const choose = (): number => chosen.next().value as number;
  const lineEnd = (): string => (choose() % 2 === 0 ? '\n' : '\r\n');
  const lines = rows.map((cells) => {
    const blank = choose() === 0 ? lineEnd() : '';
    return `${blank}${cells.map((cell) => quote(cell, separator, choose() < 3)).join(separator)}`;
  });
  const text = lines.reduce((before, line) => `${before}${lineEnd()}${line}`);
  return `${text}${['', lineEnd(), lineEnd(), lineEnd() + lineEnd()][choose() % 4]!}`;
}

/** Cells with white space next to quotes are quoted, since fast-csv deviates from RFC 4180 there. */
function quote(cell: string, separator: string, always: boolean): string {
  const needed = cell.includes(separator) || /["\r\n]|^\s|\s$/.test(cell);
  return needed || always ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The rows as read by fast-csv, without blank lines. */
function reference({ text, separator }: Sample): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString(text, { delimiter: separator, ignoreEmpty: true })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });
}

/** Where each record ends that ends before `end`, and its cells. */
function scanUpTo(bytes: Buffer, end: number, final: boolean, separator: string): [number, string[]][] {
  const fields = new FieldBounds();
  const cells = new CellReader(bytes, fields);
  const records: [number, string[]][] = [];
  for (let p = 0; p < end;) {
    const next = scanRecord(bytes, p, end, final, separator.charCodeAt(0), fields);
    if (!final && (next === INCOMPLETE || next === UNCLOSED_QUOTE)) return records;
    if (next <= p) throw new Error(`${next} is no place of a record's end`);
    records.push([next, cells.texts()]);
    p = next;
  }
  return records;
}

const isBlank = (row: readonly string[]): boolean => row.length === 1 && row[0] === '';

test('the scanner reads any dialect like fast-csv, wherever its input is split', async () => {
  await fc.assert(
    fc.asyncProperty(sampleOf(5), async (sample) => {
      const bytes = Buffer.from(`${sample.text.replace('\ufeff', '')}\n`);
      const length = bytes.length - 1;
      const records = scanUpTo(bytes, length, true, sample.separator);
      const rows = records.map(([, row]) => row).filter((row) => !isBlank(row));
      expect(rows).toEqual(await reference(sample));
      for (let end = 0; end < length; end++) {
        const before = scanUpTo(bytes, end, false, sample.separator);
        const complete = records.filter(([recordEnd]) => recordEnd <= end && bytes[recordEnd - 1] === LF);
        if (!isDeepStrictEqual(before, complete)) throw new Error(`up to ${end}: ${JSON.stringify(before)}`);
      }
    }),
    { numRuns: 100 },
  );
});

test('a build reads any dialect like fast-csv, one byte at a time', async () => {
  await fc.assert(
    fc.asyncProperty(sampleOf(4), async (sample) => {
      const { text, separator } = sample;
      const { bytes, counts } = build(text, { separator, chunkBytes: 1 });
      const [names = [], ...rows] = await reference(sample);
      expect(counts).toMatchObject({ rows: rows.length, kept: rows.length, overlaps: 0 });
      const lookup = openLookup(bytes);
      for (const [first, last, ...cells] of rows) {
        const given = cells.map((cell, index) => [names[index + 2]!, cell] as const);
        const record = Object.fromEntries(given.filter(([, cell]) => cell !== ''));
        for (const address of [first!, last!]) expect(lookup.find(address)).toEqual(record);
      }
    }),
    { numRuns: 50 },
  );
});

test('a build and its rejected rows are the same wherever its input is split', () => {
  const known: Sample = {
    text: '\ufeffip_from;ip_to;v\r\n\r\n10.0.0.0;10.0.0.9;"é;""\r\n😀"\r\n10.0.1.0;"10.0.1.9";é\n\n10.0.2.0;10.0.2.9;é\n10.0.3.0;10.0.3.9;éa',
    separator: ';',
  };
  fc.assert(
    fc.property(sampleOf(1), ({ text, separator }) => {
      const input = Buffer.from(`${text}\nx${separator}y`);
      const options = { separator, skipInvalid: true };
      const whole = build(input, options);
      expect(whole.counts.skipped).toBe(1);
      for (let cut = 1; cut < input.length; cut++) {
        const { bytes, counts } = build(input, { ...options, firstChunkBytes: cut });
        if (!bytes.equals(whole.bytes) || !isDeepStrictEqual(counts, whole.counts))
          throw new Error(`cut at ${cut} it becomes another file`);
      }
    }),
    { numRuns: 2, examples: [[known]] },
  );
});
