import type { WriteOperation } from './ports/library-store.js';
import { BATCH_BYTES, BATCH_OPERATIONS, operationBytes, toBatches } from './write-batches.js';

const create = (size: number): WriteOperation => ({
  type: 'create',
  area: 'library',
  path: 'a.yaml',
  kind: 'file',
  data: Buffer.alloc(size),
});
const sizes = (operations: readonly WriteOperation[]) =>
  toBatches(operations, 20).map((batch) => batch.length);

test('a batch has at most 99 operations, besides the lock check', () => {
  expect(sizes(Array.from({ length: 250 }, () => create(1)))).toEqual([
    BATCH_OPERATIONS,
    BATCH_OPERATIONS,
    52,
  ]);
});

test('a batch has at most 900 kB; larger operations get one of their own', () => {
  expect(sizes([create(400_000), create(400_000), create(400_000)])).toEqual([2, 1]);
  expect(sizes([create(10), create(1_000_000), create(10)])).toEqual([1, 1, 1]);
  for (const batch of toBatches(
    Array.from({ length: 300 }, (_, index) => create(index * 97)),
    20,
  )) {
    const bytes = batch.reduce((sum, operation) => sum + operationBytes(operation, 20), 0);
    expect(bytes).toBeLessThanOrEqual(BATCH_BYTES);
  }
});

test('the order is kept, and without operations there is no batch', () => {
  const operations = Array.from({ length: 500 }, (_, index) => create(index));
  expect(toBatches(operations, 20).flat()).toEqual(operations);
  expect(toBatches([], 20)).toEqual([]);
});
