import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { ContentFile, ContentStore, openUnnamedFile, type StoredContent } from '../src/files/index.js';

/** Of all sizes from none to more than a chunk, each with bytes of its own. */
const CONTENTS = Array.from({ length: 120 }, (_, index) => {
  const size = index % 40 === 39 ? 1_500_000 : (index * 7_919) % 90_000;
  return Buffer.alloc(size, `${index};`);
});

/** Fills the store's memory as a reader of files does. */
const keepAll = (store: ContentStore): (Buffer | StoredContent)[] =>
  CONTENTS.map((content) => {
    const data = store.allocate(content.length);
    content.copy(data);
    return store.keep(data);
  });

const isInFile = (content: Buffer | StoredContent): content is StoredContent => 'read' in content;
const bytes = (content: Buffer | StoredContent): Buffer => (isInFile(content) ? content.read() : content);

const openFiles = (): number => readdirSync('/proc/self/fd').length;

test.each([
  ['in memory', 1 << 30, 0],
  ['in a file', 0, CONTENTS.filter(({ length }) => length > 0).length],
])('contents are kept %s', (_case, memoryBytes, inFile) => {
  const store = new ContentStore({ memoryBytes });
  const kept = keepAll(store);
  expect(kept.filter(isInFile)).toHaveLength(inFile);
  expect(kept.every((content, index) => bytes(content).equals(CONTENTS[index]!))).toBe(true);
  store.release();
});

test('contents stay in memory up to the limit', () => {
  const store = new ContentStore({ memoryBytes: 1_000_000 });
  const kept = keepAll(store);
  const inMemory = kept.filter((content) => !isInFile(content)).reduce((sum, { length }) => sum + length, 0);
  expect(inMemory).toBeLessThanOrEqual(1_000_000);
  expect(inMemory).toBeGreaterThan(900_000);
  expect(kept.every((content, index) => bytes(content).equals(CONTENTS[index]!))).toBe(true);
  store.release();
});

test('a released store has no file open, and its contents cannot be read', () => {
  const before = openFiles();
  const store = new ContentStore({ memoryBytes: 0 });
  const kept = keepAll(store);
  expect(openFiles()).toBe(before + 1);
  store.release();
  store.release();
  expect(openFiles()).toBe(before);
  expect(() => bytes(kept[1]!)).toThrow('the contents of the files have been released');
});

test('on a full disk, contents stay in memory', () => {
  if (!existsSync('/dev/full')) return;
  const file = openSync('/dev/full', 'r+');
  const store = new ContentStore({ memoryBytes: 0, file });
  const kept = keepAll(store);
  expect(kept.every((content, index) => bytes(content).equals(CONTENTS[index]!))).toBe(true);
  closeSync(file);
});

test('another reader of the file finds written contents at their offsets', () => {
  const file = openUnnamedFile();
  const kept = keepAll(new ContentStore({ memoryBytes: 0, file }));
  const reader = new ContentFile(file);
  const written = kept.flatMap((content, index) =>
    isInFile(content) && content.offset !== undefined
      ? [{ content: reader.content(content.offset, content.length), index }]
      : [],
  );
  expect(written.length).toBeGreaterThan(CONTENTS.length / 2);
  for (const { content, index } of written) expect(content.read().equals(CONTENTS[index]!)).toBe(true);
  reader.close();
});
