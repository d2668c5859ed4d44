import fc from 'fast-check';
import { columnType, type NumberType, parseNumber, parsePlainDecimal } from './column-type.js';

test.each([
  ['latitude', 'double'],
  ['longitude', 'double'],
  ['elevation', 'int32'],
  ['fraud_score', 'uint32'],
  ['last_seen', 'uint32'],
  ['zip_code', 'string'],
  ['toString', 'string'],
  ['Latitude', 'string'],
])('a column named %s is stored as %s', (name, type) => {
  expect(columnType(name, true)).toBe(type);
  expect(columnType(name, false)).toBe('string');
});

const BIG = '1'.padEnd(400, '0');

test.each<[NumberType, string, number | undefined]>([
  ['double', '1', 1],
  ['double', '-12.500', -12.5],
  ['double', '+.5', 0.5],
  ['double', '5.', 5],
  ['double', '1e3', 1000],
  ['double', '1E-3', 0.001],
  ['double', '1e+3', 1000],
  ['double', '12e10', 12e10],
  ['double', '1.5e12', 1.5e12],
  ['double', '12.34', 12.34],
  ['double', '', undefined],
  ['double', '.', undefined],
  ['double', ' 1', undefined],
  ['double', '1 ', undefined],
  ['double', '1e', undefined],
  ['double', '--1', undefined],
  ['double', '1,5', undefined],
  ['double', '0x10', undefined],
  ['double', 'NaN', undefined],
  ['double', 'Infinity', undefined],
  ['double', '1e999', undefined],
  ['double', BIG, undefined],
  ['int32', '-2147483648', -2147483648],
  ['int32', '-2147483649', undefined],
  ['int32', '2147483647', 2147483647],
  ['int32', '2147483648', undefined],
  ['int32', '+12', 12],
  ['int32', '1.0', undefined],
  ['int32', 'x1', undefined],
  ['int32', '1x', undefined],
  ['uint32', '0', 0],
  ['uint32', '-1', undefined],
  ['uint32', '4294967295', 4294967295],
  ['uint32', '4294967296', undefined],
  ['uint32', BIG, undefined],
  ['uint16', '65535', 65535],
  ['uint16', '65536', undefined],
  ['uint16', '-1', undefined],
  ['asn', 'AS64500', 64500],
  ['asn', 'as64500', 64500],
  ['asn', '64500', 64500],
  ['asn', '4294967295', 4294967295],
  ['asn', '4294967296', undefined],
  ['asn', 'AS', undefined],
  ['asn', 'xAS5', undefined],
  ['asn', 'ASAS5', undefined],
  ['boolean', 'true', 1],
  ['boolean', 'TRUE', 1],
  ['boolean', 'false', 0],
  ['boolean', '1', 1],
  ['boolean', '0', 0],
  ['boolean', '2', undefined],
  ['boolean', '-1', undefined],
  ['boolean', 'yes', undefined],
  ['boolean', 'toString', undefined],
])('as %s %p is %p', (type, cell, number) => {
  expect(parseNumber(cell, type)).toBe(number);
});

test.each<[NumberType, string, number | undefined]>([
  ['double', `${'0'.repeat(63)}1`, 1],
  ['double', `${'0'.repeat(64)}1`, undefined],
  ['double', `${'0'.repeat(900_000)}x`, undefined],
  ['double', `${'0'.repeat(900_000)}.${'0'.repeat(900_000)}x`, undefined],
  ['int32', `${'0'.repeat(63)}7`, 7],
  ['int32', `${'0'.repeat(64)}7`, undefined],
  ['asn', `AS${'0'.repeat(62)}`, 0],
  ['asn', `AS${'0'.repeat(63)}`, undefined],
  ['boolean', `${'0'.repeat(64)}1`, undefined],
])('a number has at most 64 characters: %s %#', (type, cell, number) => {
  expect(parseNumber(cell, type)).toBe(number);
});

test('a negative zero is zero', () => {
  expect(Object.is(parseNumber('-0', 'double'), 0)).toBe(true);
  expect(Object.is(parseNumber('-0', 'int32'), 0)).toBe(true);
});

test('decimals read as bytes are the doubles that JavaScript finds, or none', () => {
  const plain = (text: string) => parsePlainDecimal(Buffer.from(`<${text}>`), 1, text.length + 1);
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.boolean(), digits, digits, (isNegative, before, after) => {
      const text = `${isNegative ? '-' : ''}${before}.${after}`;
      const isShort = before.length + after.length <= 15;
      expect(plain(text)).toBe(isShort ? Number(text) + 0 : undefined);
    }),
  );
  for (const text of ['', '-', '.', '1.', '.5', '12', '+1.5', '1.5e3', '1.2.3', '1,5', ' 1.5'])
    expect(plain(text)).toBeUndefined();
});
