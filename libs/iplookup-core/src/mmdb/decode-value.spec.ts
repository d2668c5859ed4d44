import { ValueDecoder } from './decode-value.js';
import { LookupFormatError } from './mmdb.errors.js';

/** Decodes the value at `offset` in a section of these bytes, surrounded by other bytes. */
function decode(hex: string, offset = 0) {
  const section = Buffer.from(hex, 'hex');
  const bytes = Buffer.concat([
    Buffer.of(0x41, 0x41, 0x41),
    section,
    Buffer.from('414243444546474849', 'hex'),
  ]);
  const decoder = new ValueDecoder(bytes, 3, 3 + section.length);
  return { value: decoder.decode(offset), next: decoder.next };
}

function errorOf(hex: string, offset = 0): string {
  try {
    decode(hex, offset);
  } catch (error) {
    if (error instanceof LookupFormatError) return error.message;
    throw error;
  }
  throw new Error('it was decoded');
}

test.each([
  ['a string', '426162', 'ab'],
  ['an empty string', '40', ''],
  ['a double', '68c029000000000000', -12.5],
  ['a float', '040841480000', 12.5],
  ['bytes', '820102', Uint8Array.of(1, 2)],
  ['no bytes', '80', Uint8Array.of()],
  ['uint16 0', 'a0', 0],
  ['uint16', 'a2ffff', 65_535],
  ['uint32', 'c4ffffffff', 0xffff_ffff],
  ['uint32 in one byte', 'c105', 5],
  ['int32', '0401ffffffff', -1],
  ['int32 in one byte', '0101ff', 255],
  ['uint64 that is exact', '07021fffffffffffff', Number.MAX_SAFE_INTEGER],
  ['uint64 that is not', '070220000000000000', 2n ** 53n],
  ['the largest uint64', '0802ffffffffffffffff', 2n ** 64n - 1n],
  ['uint128', '010305', 5n],
  ['the largest uint128', `1003${'ff'.repeat(16)}`, 2n ** 128n - 1n],
  ['false', '0007', false],
  ['true', '0107', true],
  ['an array', '0304a1010107e0', [1, true, {}]],
  ['a map', 'e241610107416240', { a: true, b: '' }],
])('%s', (_what, hex, value) => {
  expect(decode(hex)).toEqual({ value, next: hex.length / 2 });
});

test.each([29, 284, 285, 65_820, 65_821, 70_000])('a string of %i bytes', (size) => {
  const head =
    size < 285
      ? [0x5d, size - 29]
      : size < 65_821
        ? [0x5e, (size - 285) >> 8, (size - 285) & 255]
        : undefined;
  const bytes = head ?? [0x5f, (size - 65_821) >> 16, ((size - 65_821) >> 8) & 255, (size - 65_821) & 255];
  const hex = Buffer.concat([Buffer.from(bytes), Buffer.alloc(size, 'x')]).toString('hex');
  expect(decode(hex)).toEqual({ value: 'x'.repeat(size), next: hex.length / 2 });
});

describe('pointers', () => {
  test.each([
    ['two bytes', '2002', 2],
    ['three bytes', '280001', 3],
    ['four bytes', '30000001', 4],
    ['five bytes', '3800000005', 5],
  ])('of %s', (_size, pointer, bytes) => {
    const target = { 2: 2, 3: 2049, 4: 526_337, 5: 5 }[bytes]!;
    const section = Buffer.alloc(target + 3, 0x40);
    Buffer.from(pointer, 'hex').copy(section);
    Buffer.from('426162', 'hex').copy(section, target);
    expect(decode(section.toString('hex'))).toEqual({ value: 'ab', next: bytes });
  });

  test('use the bits of their first byte', () => {
    for (const [pointer, target] of [
      ['2700', 0x700],
      ['2f0000', 0x70000 + 2048],
      ['37000000', 0x700_0000 + 526_336],
    ] as const) {
      const section = Buffer.alloc(target + 2, 0x40);
      Buffer.from(pointer, 'hex').copy(section);
      Buffer.from('4179', 'hex').copy(section, target);
      const decoder = new ValueDecoder(section, 0, section.length);
      expect(decoder.decode(0)).toBe('y');
    }
  });

  test('may refer to anything but a pointer; targets are decoded once', () => {
    expect(decode('e141612005e141620107').value).toEqual({ a: { b: true } });
    const section = Buffer.from('e24161200941622009416b', 'hex');
    const decoder = new ValueDecoder(section, 0, section.length);
    expect(decoder.decode(0)).toEqual({ a: 'k', b: 'k' });
  });

  test.each([
    ['2002', 'a pointer leads outside the data section (at byte 3 of the file)'],
    ['20', 'a pointer leads outside the data section (at byte 3 of the file)'],
    ['2800', 'a pointer leads outside the data section (at byte 3 of the file)'],
    ['20022000', 'a pointer leads to a pointer (at byte 3 of the file)'],
    ['e141612000', 'values are nested more than 32 levels deep (at byte 3 of the file)'],
  ])('%s', (hex, message) => {
    expect(errorOf(hex)).toBe(message);
  });
});

const nested = (depth: number) => `${'e14161'.repeat(depth)}e0`;

test.each([
  ['', 'a value lies outside its section (at byte 3 of the file)'],
  ['4261', 'a value is truncated (at byte 4 of the file)'],
  ['68c0290000000000', 'a value is truncated (at byte 4 of the file)'],
  ['8201', 'a value is truncated (at byte 4 of the file)'],
  ['67c0290000000000', 'a floating-point number has a wrong size (at byte 4 of the file)'],
  ['0308414800', 'a floating-point number has a wrong size (at byte 5 of the file)'],
  ['08084148000000000000', 'a floating-point number has a wrong size (at byte 5 of the file)'],
  ['a3010203', 'an integer has a wrong size (at byte 4 of the file)'],
  ['c50102030405', 'an integer has a wrong size (at byte 4 of the file)'],
  ['05010102030405', 'an integer has a wrong size (at byte 5 of the file)'],
  ['0902010203040506070809', 'an integer has a wrong size (at byte 5 of the file)'],
  [`1103${'01'.repeat(17)}`, 'an integer has a wrong size (at byte 5 of the file)'],
  ['c401', 'a value is truncated (at byte 4 of the file)'],
  ['040201', 'a value is truncated (at byte 5 of the file)'],
  ['0005', 'a value has the unknown type 12 (at byte 5 of the file)'],
  ['0006', 'a value has the unknown type 13 (at byte 5 of the file)'],
  ['0009', 'a value has the unknown type 16 (at byte 5 of the file)'],
  ['e1a1014161', 'the key of a map is not a string (at byte 4 of the file)'],
  ['e14161', 'a value lies outside its section (at byte 6 of the file)'],
  [nested(33), 'values are nested more than 32 levels deep (at byte 102 of the file)'],
])('%s is rejected', (hex, message) => {
  expect(errorOf(hex)).toBe(message);
});

test('32 levels are accepted', () => {
  expect(decode(nested(32)).next).toBe(97);
});

/** Arrays of pointers, each to the array before, around an innermost value. @returns where the last one is */
function tower(innermost: string, width: number, height: number) {
  let hex = innermost;
  let top = 0;
  for (let level = 0; level < height; level++) {
    const pointer = (0x2000 + top).toString(16);
    top = hex.length / 2;
    hex += width.toString(16).padStart(2, '0') + '04' + pointer.repeat(width);
  }
  return [hex, top] as const;
}

describe('pointers that lead to the same values again and again', () => {
  test('up to a million values are accepted', () => {
    const { value } = decode(...tower('c105', 20, 4));
    expect((value as number[][][][]).flat(3)).toEqual(Array(20 ** 4).fill(5));
  });

  test.each([
    ['values', tower('c105', 20, 14)],
    ['text', tower(`01045e0200${'61'.repeat(512 + 285)}`, 20, 8)],
    ['bytes', tower(`9e0200${'61'.repeat(512 + 285)}`, 20, 4)],
  ])('more %s are rejected', (_what, [hex, top]) => {
    expect(errorOf(hex, top)).toContain(
      'a value contains more than 1048576 values, or 64 MiB of text (at byte',
    );
  });
});

test('records are frozen, and a key may have the name of something inherited', () => {
  const { value } = decode(`e149${Buffer.from('__proto__').toString('hex')}4178`);
  expect(Object.entries(value)).toEqual([['__proto__', 'x']]);
  expect([Object.isFrozen(value), Object.isFrozen(decode('0104a0').value)]).toEqual([true, true]);
});
