import { DataSection } from './data-section.js';
import { LookupTooLargeError } from './mmdb.errors.js';
import { chooseRecordSize } from './encode-tree.js';
import { DATA_SEPARATOR_BYTES } from './mmdb-format.js';

const GIB_4 = 2 ** 32;

test.each([
  [2 ** 24 - 1, 24],
  [2 ** 24, 28],
  [2 ** 28 - 1, 28],
  [2 ** 28, 32],
  [GIB_4 - 1, 32],
])('references up to %d fit into records of %d bits', (highest, bits) => {
  expect(chooseRecordSize(1, highest - 1 - DATA_SEPARATOR_BYTES)).toBe(bits);
});

test('nodes and values beyond 32-bit references are rejected', () => {
  expect(() => chooseRecordSize(2 ** 31, 2 ** 31 - DATA_SEPARATOR_BYTES)).toThrow(
    new LookupTooLargeError(
      'the lookup needs more than 4 GiB, the limit of a lookup file: leave out rows or columns',
    ),
  );
});

test('values beyond 32-bit pointers are rejected, and not stored', () => {
  const section = new DataSection();
  section.append(Buffer.from('ab'), 2);
  section.length = GIB_4 - 2;
  section.append(Buffer.from('c'), 1);
  expect(() => section.append(Buffer.from('d'), 1)).toThrow(
    new LookupTooLargeError(
      'the values need more than 4 GiB, the limit of a lookup file: leave out some columns',
    ),
  );
  expect(Buffer.concat([...section.content()]).toString()).toBe('abc');
});
