import { Uint32List } from './uint32-list.js';

test('a list keeps its values when it grows', () => {
  const list = new Uint32List();
  for (let value = 0; value < 5000; value++) list.push(0xffff_ffff - value);
  list.set(1023, 7);
  expect(list.length).toBe(5000);
  const items = Array.from({ length: 5000 }, (_, index) => list.at(index));
  expect(items).toEqual(items.map((_, index) => (index === 1023 ? 7 : 0xffff_ffff - index)));
});
