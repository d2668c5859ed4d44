import fc from 'fast-check';
import { build, type Built, violationsOf } from '../../test/build-in-memory.js';
import { loadScan } from '../files/load-scan.js';
import { BlockScanner, type ScannedBlock } from '../scan/block-scanner.js';
import type { RowFormat } from '../scan/row-scanner.js';
import type { LookupInputError } from './input-violations.js';
import { LookupBuilder } from './lookup-builder.js';
import { planBuild } from './plan-build.js';
import { readBlocks } from './read-blocks.js';

const OPTIONS = { kind: 'csv', inputFormat: 'ipv4-int', buildEpoch: 1, overlap: 'specific' } as const;

/** How the input is read: bytes read alone before the blocks, their size, what follows them, and the scanners. */
interface Reading {
  readonly head: number;
  readonly block: number;
  readonly lookAhead: number;
  readonly scanners: number;
}

const program = loadScan()!;

/** Builds from rows that scanners find in blocks, as threads do. */
async function buildInBlocks(input: Buffer, reading: Reading, skipInvalid: boolean): Promise<Built> {
  const builder = new LookupBuilder(planBuild('input.csv', { ...OPTIONS, skipInvalid }), program);
  let position = 0;
  while (position < input.length && (position < reading.head || builder.rowFormat === undefined))
    builder.push(input.subarray(position, ++position));
  if (builder.rowFormat !== undefined) {
    const blocks = scanBlocks(input, position, reading, builder.rowFormat);
    const read = async (at: number, length: number) => input.subarray(at, at + length);
    for await (position of readBlocks(builder, blocks, position, read));
  }
  expect(position).toBe(input.length);
  const chunks: Uint8Array[] = [];
  const output = builder.finish();
  for (let next = output.next(); ; next = output.next()) {
    if (next.done) return { bytes: Buffer.concat(chunks), counts: next.value };
    chunks.push(next.value);
  }
}

/** Scanners are used again: to a build it makes no difference which texts they know. */
const scanners = new Map<string, BlockScanner>();

async function* scanBlocks(
  input: Buffer,
  start: number,
  sizes: Reading,
  format: RowFormat,
): AsyncGenerator<ScannedBlock> {
  const { block: blockBytes, lookAhead } = sizes;
  for (let from = start, block = 0; from < input.length; from += blockBytes, block++) {
    const to = Math.min(from + blockBytes, input.length);
    const scanner = block % sizes.scanners;
    const key = `${scanner} ${lookAhead}`;
    const known = scanners.get(key) ?? new BlockScanner(program, format, { block: 500, lookAhead });
    scanners.set(key, known);
    const readAt = (target: Buffer, at: number) => input.copy(target, 0, at);
    yield { scanner, runs: known.scan({ from, to, isFirst: from === start }, readAt) };
  }
}

const address = fc.oneof(
  fc.nat(40).map(String),
  fc.nat(40).map((number) => `"${number}"`),
  fc.constantFrom(' 7', '007', '4294967295', '4294967296', '00000000012', 'x', '', '"12'),
);

const cell = fc.constantFrom(
  ...[
    'a',
    'b',
    '"a"',
    '',
    '-',
    '"b, b"',
    '"1\n2,3,a,b\n4,5,"',
    '"x""y"',
    'é',
    '"\r\n"',
    'q"q',
    '"open',
    '"a"b',
  ],
  'long '.repeat(900),
);

const row = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.nat(60), fc.nat(9), cell, cell)
      .map(([at, size, a, b]) => [at, at + size, a, b].join()),
  },
  { weight: 2, arbitrary: fc.tuple(address, address, cell, cell).map((cells) => cells.join()) },
  { weight: 1, arbitrary: fc.constantFrom('', '1,2,a', '1,2,a,b,c', '"', ',,,') },
);

const text = fc
  .array(fc.tuple(row, fc.constantFrom('\n', '\n', '\r\n', '\n\n')), { maxLength: 14 })
  .map((rows) => `ip_from,ip_to,v,w\n${rows.map((parts) => parts.join('')).join('')}`);

const reading = fc.record({
  head: fc.constantFrom(0, 30),
  block: fc.integer({ min: 1, max: 60 }),
  lookAhead: fc.constantFrom(0, 3, 5000),
  scanners: fc.integer({ min: 1, max: 3 }),
});

test('a build is the same for any blocks and scanners as when it is read in JavaScript, with its violations', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), reading, async (csv, endsWithin, sizes) => {
      const input = Buffer.from(endsWithin ? csv.slice(0, -1) : csv);
      const options = { ...OPTIONS, skipInvalid: true };
      expect(await buildInBlocks(input, sizes, true)).toEqual(build(input, options));
    }),
    { numRuns: 60 },
  );
});

test('the first violations are listed in order with their lines, wherever blocks are cut', async () => {
  const lines = Array.from({ length: 90 }, (_, line) => {
    if (line % 3 === 0) return `${line},${line - 1},a,b`;
    return line % 5 === 0 ? `${line},${line},"x\ny",b` : `${line},${line},a,b${line % 7 === 0 ? ',c' : ''}`;
  });
  const input = Buffer.from(`ip_from,ip_to,v,w\n${lines.join('\n')}\n`);
  const expected = violationsOf(input, OPTIONS);
  expect(expected).toHaveLength(21);
  for (const block of [7, 64, 500]) {
    const built = buildInBlocks(input, { head: 0, block, lookAhead: 100, scanners: 2 }, false);
    const error = await built.catch((reason: unknown) => reason as LookupInputError);
    expect((error as LookupInputError).message.split('\n')).toEqual(expected);
  }
});
