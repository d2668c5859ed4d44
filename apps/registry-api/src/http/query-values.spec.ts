import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { ToBoolean, ToInteger } from './query-values.js';

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
