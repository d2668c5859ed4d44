import { DataSection } from './data-section.js';

test('appended bytes are returned in chunks', () => {
  const data = new DataSection();
  expect(Buffer.concat([...data.content()])).toHaveLength(0);
  const expected: Buffer[] = [];
  for (const [index, size] of [1, 1_048_574, 3, 0, 3_000_000, 97_152 - 2, 5].entries()) {
    const bytes = Buffer.alloc(size + 2, index + 1);
    data.append(bytes, size);
    expected.push(bytes.subarray(0, size));
  }
  const whole = Buffer.concat(expected);
  expect(data.length).toBe(whole.length);
  expect(Buffer.concat([...data.content()]).equals(whole)).toBe(true);
});

test('a section that ends with a piece', () => {
  const data = new DataSection();
  data.append(Buffer.alloc(1 << 20, 7), 1 << 20);
  expect([...data.content()].map((piece) => piece.length)).toEqual([1 << 20]);
});
