import { build } from '../../test/build-in-memory.js';
import { lookupWithRecord, lookupWithValue } from '../../test/lookup-with-value.js';
import { verifyLookup } from './verify-lookup.js';

const csv = 'a,b,v,w\n1.0.0.0,1.0.0.9,x,y\n2.0.0.0,2.0.0.9,x,z\n2001:db8::,2001:db8::9,y,x\n';
const good = () => Buffer.from(build(csv, { inputFormat: 'auto' }).bytes);
const problemsOf = (bytes: Uint8Array) => verifyLookup(bytes).problems.join('\n');
const dataStart = (bytes: Buffer) => {
  const { nodeCount, recordSize } = verifyLookup(bytes).metadata!;
  return (nodeCount * recordSize) / 4 + 16;
};

test.each([
  ['plain rows', csv, {}],
  ['no row', 'a,b,v\n', {}],
  ['no row, IPv4 only', 'a,b,v\n', { forceIpv4: true }],
  ['all addresses', 'network,v\n0.0.0.0/0,x\n::/0,y\n', { inputFormat: 'cidr' }],
  ['rows with their addresses', csv, { includeIpRange: true }],
  ['overlapping rows', 'a,b,v\n1.0.0.0,1.0.0.9,x\n1.0.0.5,1.0.0.20,y\n1.0.0.0,1.0.0.30,z\n', {}],
  [
    'rows in 2002::/16',
    'network,v\n1.2.0.0/16,a\n2002:102:300::/40,b\n2002:102:304:8000::/49,c\n',
    { inputFormat: 'cidr' },
  ],
] as const)('a lookup of %s passes', (_name, text, options) => {
  const { problems, warnings, records } = verifyLookup(
    build(text, { inputFormat: 'auto', ...options }).bytes,
  );
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(records).toBe(build(text, { inputFormat: 'auto', ...options }).counts.records);
});

/** The same lookup with its nodes, which precede their children, in reverse after the root. */
function reversed(lookup: Buffer): Buffer {
  const { nodeCount } = verifyLookup(lookup).metadata!;
  const renumber = (record: number) => (record === 0 || record >= nodeCount ? record : nodeCount - record);
  const bytes = Buffer.from(lookup);
  for (let node = 0; node < nodeCount; node++)
    for (const at of [0, 3])
      bytes.writeUIntBE(renumber(lookup.readUIntBE(6 * node + at, 3)), 6 * renumber(node) + at, 3);
  return bytes;
}

test('the order of nodes does not matter, but what they refer to does', () => {
  const { problems, records } = verifyLookup(reversed(good()));
  expect([problems, records]).toEqual([[], verifyLookup(good()).records]);
  const bad = good();
  const { nodeCount } = verifyLookup(bad).metadata!;
  bad.writeUIntBE(0xff_fff0, 6 * nodeCount - 3, 3);
  expect(problemsOf(reversed(bad))).toBe(problemsOf(bad));
});

test('a byte between tree and data that is not zero', () => {
  const bytes = good();
  bytes[dataStart(bytes) - 1] = 1;
  expect(problemsOf(bytes)).toContain('not all zero');
});

test('a record that points into the separator', () => {
  const bytes = good();
  const { nodeCount } = verifyLookup(bytes).metadata!;
  bytes.writeUIntBE(nodeCount + 5, 0, 3);
  expect(problemsOf(bytes)).toContain(`the invalid record ${nodeCount + 5}`);
});

test('a record that points beyond the data', () => {
  const bytes = good();
  bytes.writeUIntBE(0xff_fff0, 0, 3);
  expect(problemsOf(bytes)).toContain('the invalid record');
});

test('a record that points into the middle of a value, and the value it should point to', () => {
  const bytes = good();
  const { nodeCount } = verifyLookup(bytes).metadata!;
  const record = Buffer.alloc(3);
  record.writeUIntBE(nodeCount + 16, 0, 3);
  const at = bytes.indexOf(record);
  bytes.writeUIntBE(nodeCount + 17, at, 3);
  expect(problemsOf(bytes)).toContain('places where no value begins');
});

test('a circle', () => {
  const bytes = good();
  bytes.writeUIntBE(0, 6, 3);
  expect(problemsOf(bytes)).toContain('a cycle at node 0');
});

test('unreachable nodes', () => {
  const bytes = good();
  const { nodeCount } = verifyLookup(bytes).metadata!;
  bytes.writeUIntBE(nodeCount, 0, 3);
  expect(problemsOf(bytes)).toMatch(/has \d+ unreachable nodes/);
});

test('unreferenced values', () => {
  const bytes = good();
  const end = bytes.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1');
  const extra = Buffer.concat([bytes.subarray(0, end), Buffer.from([0x41, 0x61]), bytes.subarray(end)]);
  const offset = end - dataStart(bytes);
  expect(problemsOf(extra)).toBe(`the data section has an unreferenced value at ${offset}`);
});

test('a pointer to a pointer, a pointer out of the section, a value cut off', () => {
  const start = dataStart(good());
  const patch = (...at: number[]) => {
    const bytes = good();
    bytes.set(at, start);
    return problemsOf(bytes);
  };
  expect(patch(0xe1, 0x20, 0x01)).toContain('leads');
  expect(patch(0x38, 0xff, 0xff, 0xff, 0xff)).toContain('a pointer leads outside the data section');
  expect(patch(0x5f, 0xff, 0xff, 0xff)).toContain('a value is truncated');
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'has no metadata'],
  ['gzipped', () => Buffer.from('1f8b0000', 'hex'), 'is gzipped'],
  ['too short for its tree', (bytes: Buffer) => bytes.subarray(200), 'is truncated'],
  [
    'with bytes after its metadata',
    (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)]),
    'bytes follow the metadata',
  ],
])('a file %s', (_name, change, problem) => {
  expect(problemsOf(change(good()))).toContain(problem);
});

describe('metadata', () => {
  const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

  /** A good file in whose metadata the first `before` has become `after`. */
  function patched(before: Buffer, after: Buffer): Buffer {
    const bytes = good();
    const at = bytes.indexOf(before, bytes.lastIndexOf(MARKER));
    return Buffer.concat([bytes.subarray(0, at), after, bytes.subarray(at + before.length)]);
  }
  const text = (value: string) => Buffer.from([0x40 | value.length, ...Buffer.from(value)]);
  const pair = (key: string, ...value: number[]) => Buffer.from([...text(key), ...value]);
  const description = Buffer.concat([text('en'), text('input: IP lookup')]);

  test.each([
    [
      'a minor version other than 0',
      pair('binary_format_minor_version', 0xa0),
      pair('binary_format_minor_version', 0xa1, 1),
      'the minor format version is not 0',
    ],
    [
      'no type',
      pair('database_type', ...text('input')),
      pair('database_type', 0x40),
      'the metadata has no database_type',
    ],
    [
      'no description',
      pair('description', 0xe1, ...description),
      pair('description', 0xe0),
      'the metadata has no description',
    ],
    [
      'less depth than the tree has',
      pair('ip_version', 0xa1, 6),
      pair('ip_version', 0xa1, 4),
      'the search tree is deeper than the 32 bits of an address',
    ],
  ])('with %s', (_what, before, after, problem) => {
    expect(verifyLookup(patched(before, after))).toMatchObject({
      problems: [problem],
      problemCount: 1,
      warnings: [],
    });
  });

  test.each([
    ['map', [0xe0]],
    ['list', [0x00, 0x04]],
  ])('with an empty %s at their end', (_what, value) => {
    const bytes = good();
    const map = bytes.lastIndexOf(MARKER) + MARKER.length;
    bytes[map]!++;
    const { problems } = verifyLookup(Buffer.concat([bytes, pair('x', ...value)]));
    expect(problems).toEqual([
      'the metadata ends with an empty map or array, which libmaxminddb 1.13.0 to 1.13.2 reject',
    ]);
  });

  test.each(['GeoIP', 'geoip'])('with the type %s, which is MaxMind’s, are warned of', (type) => {
    const found = verifyLookup(patched(text('input'), text(type)));
    expect([found.problems, found.warnings]).toEqual([
      [],
      ['database_type begins with GeoIP, which is reserved for MaxMind'],
    ]);
    expect(verifyLookup(patched(text('input'), text('aGeoIP'))).warnings).toEqual([]);
  });
});

test.each([
  ['bytes', lookupWithValue(0x82, 1, 2), 'values of type bytes crash syslog-ng, and Vector finds no record'],
  [
    'a number of 64 bits',
    lookupWithValue(0x08, 0x02, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    'integers of more than 53 bits are misread by many readers',
  ],
  ['a list', lookupWithValue(0x01, 0x04, 0x41, 97), 'arrays are not read by Fluent Bit, nginx and others'],
  [
    'a record that is a text',
    lookupWithRecord(0x46, ...Buffer.from('record')),
    'records that are not maps are not supported by many readers',
  ],
])('%s is warned of', (_what, bytes, warning) => {
  expect(verifyLookup(bytes)).toMatchObject({ problems: [], warnings: [warning], records: 1 });
});

test.each([20, 21])('of %i problems the first 20 are listed, and all are counted', (count) => {
  const bytes = good();
  const end = bytes.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1');
  const stray = Buffer.from('Aa'.repeat(count));
  const { problems, problemCount } = verifyLookup(
    Buffer.concat([bytes.subarray(0, end), stray, bytes.subarray(end)]),
  );
  const first = end - dataStart(bytes);
  expect(problems).toEqual(
    Array.from(
      { length: 20 },
      (_, index) => `the data section has an unreferenced value at ${first + 2 * index}`,
    ),
  );
  expect(problemCount).toBe(count);
});

test('no single damaged byte makes the check throw', () => {
  const bytes = good();
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 0xff;
    expect(() => verifyLookup(damaged)).not.toThrow();
  }
});
