import { build } from '../../test/build-in-memory.js';
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

test('a byte between tree and data that is not zero', () => {
  const bytes = good();
  bytes[dataStart(bytes) - 1] = 1;
  expect(problemsOf(bytes)).toContain('not all zero');
});

test('a record that leads into the separator', () => {
  const bytes = good();
  const { nodeCount } = verifyLookup(bytes).metadata!;
  bytes.writeUIntBE(nodeCount + 5, 0, 3);
  expect(problemsOf(bytes)).toContain(`the invalid record ${nodeCount + 5}`);
});

test('a record that leads beyond the data', () => {
  const bytes = good();
  bytes.writeUIntBE(0xff_fff0, 0, 3);
  expect(problemsOf(bytes)).toContain('the invalid record');
});

test('a record that leads into the middle of a value, and the value it should lead to', () => {
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
  expect(problemsOf(bytes)).toContain('in a circle at node 0');
});

test('nodes that nothing leads to', () => {
  const bytes = good();
  const { nodeCount } = verifyLookup(bytes).metadata!;
  bytes.writeUIntBE(nodeCount, 0, 3);
  expect(problemsOf(bytes)).toMatch(/has \d+ nodes that nothing leads to/);
});

test('values that the tree does not lead to', () => {
  const bytes = good();
  const end = bytes.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1');
  const extra = Buffer.concat([bytes.subarray(0, end), Buffer.from([0x41, 0x61]), bytes.subarray(end)]);
  const offset = end - dataStart(bytes);
  expect(problemsOf(extra)).toBe(
    `the data section has a value at ${offset} that the search tree does not lead to`,
  );
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
  expect(patch(0x5f, 0xff, 0xff, 0xff)).toContain('a value is cut off');
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'has no metadata'],
  ['gzipped', () => Buffer.from('1f8b0000', 'hex'), 'is gzipped'],
  ['too short for its tree', (bytes: Buffer) => bytes.subarray(200), 'is cut off'],
  [
    'with bytes after its metadata',
    (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)]),
    'bytes follow the metadata',
  ],
])('a file %s', (_name, change, problem) => {
  expect(problemsOf(change(good()))).toContain(problem);
});

test('no damage of a single byte makes the check fail itself', () => {
  const bytes = good();
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 0xff;
    expect(() => verifyLookup(damaged)).not.toThrow();
  }
});
