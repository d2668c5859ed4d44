import { InputPlaces } from '../rows/input-places.js';
import { ViolationList } from './input-violations.js';

test('a violation contains what is known, and at most 80 characters of the text', () => {
  const violations = new ViolationList('a.csv');
  violations.add(1, 'is wrong');
  violations.add(2, 'is wrong', 'v', 'x'.repeat(80));
  violations.add(3, 'is wrong', 'v', 'x'.repeat(81));
  violations.add(4, 'is wrong', 'v', '\u{1F600}'.repeat(81));
  expect(violations.listed).toStrictEqual([
    { file: 'a.csv', row: 1, reason: 'is wrong' },
    { file: 'a.csv', row: 2, column: 'v', text: 'x'.repeat(80), reason: 'is wrong' },
    { file: 'a.csv', row: 3, column: 'v', text: `${'x'.repeat(77)}...`, reason: 'is wrong' },
    { file: 'a.csv', row: 4, column: 'v', text: `${'\u{1F600}'.repeat(77)}...`, reason: 'is wrong' },
  ]);
  const { name, violations: fatal, message } = violations.fatal(undefined, 'is no file');
  expect([name, message]).toEqual(['LookupInputError', 'a.csv: is no file']);
  expect(fatal).toStrictEqual([{ file: 'a.csv', reason: 'is no file' }]);
});

test('a violation of a header that is not in the file has no row', () => {
  const places = new InputPlaces();
  places.begin('deny.txt', 1);
  const list = new ViolationList('deny.txt', places);
  expect(list.fatal(1, 'is no column', 'comment').message).toBe('deny.txt: column comment: is no column');
  expect(list.fatal(1, 'is no column').message).toBe('deny.txt: is no column');
  expect(list.fatal(2, 'is no network', 'network', 'x').message).toBe(
    'deny.txt: row 1, column network: "x" is no network',
  );
});
