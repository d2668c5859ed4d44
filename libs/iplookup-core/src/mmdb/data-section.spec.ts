import { ByteWriter } from './byte-writer.js';
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

test('bytes that are stored elsewhere count, and stored ones can be copied in parts', () => {
  const data = new DataSection();
  data.append(Buffer.alloc(1_500_000, 1), 1_500_000);
  data.skip(10);
  data.append(Buffer.alloc(1_500_000, 2), 1_500_000);
  expect([data.length, data.stored]).toEqual([3_000_010, 3_000_000]);
  const target = new ByteWriter();
  for (const steps = data.copy(1_499_999, 2_500_000, target); !steps.next().done;);
  const copied = target.bytes.subarray(0, target.length);
  expect(copied.equals(Buffer.alloc(1_000_001, 2).fill(1, 0, 1))).toBe(true);
});
