import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { parseInstant, ToBoolean, ToInteger } from './query-values.js';

class Query {
  @ToBoolean()
  flag?: unknown;

  @ToInteger()
  count?: unknown;
}

test.each([
  ['true', true],
  ['false', false],
  ['', ''],
  ['1', '1'],
  ['TRUE', 'TRUE'],
])('as a boolean %j is %j', (value, expected) => {
  expect(plainToInstance(Query, { flag: value }).flag).toBe(expected);
});

test.each([
  ['0', 0],
  ['007', 7],
  ['9999999999999999', 9_999_999_999_999_999],
  ['99999999999999999', '99999999999999999'],
  ['', ''],
  ['-1', '-1'],
  ['1e3', '1e3'],
  ['0x1', '0x1'],
  [' 1', ' 1'],
  [['1'], ['1']],
])('as an integer %j is %j', (value, expected) => {
  expect(plainToInstance(Query, { count: value }).count).toEqual(expected);
});

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T08:30:00Z', '2026-11-21T08:30:00.000Z'],
  ['2026-11-21t08:30:00.1234567z', '2026-11-21T08:30:00.123Z'],
  ['2026-11-21T08:30:00+02:00', '2026-11-21T06:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(parseInstant(text)?.toISOString()).toBe(expected);
});

test.each([
  '',
  'yesterday',
  '2026',
  '2026-11',
  '2026-02-30',
  '2026-13-01',
  '2026-11-21T08:30',
  '2026-11-21T08:30:00',
  '2026-11-21T25:00:00Z',
  '2026-11-21T08:30:00 02:00',
  '1969-12-31',
  '+010000-01-01',
  '1763712000',
])('%j is not a time', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
