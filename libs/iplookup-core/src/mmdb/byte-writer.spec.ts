import { ValueDecoder } from './decode-value.js';
import { TYPE } from './mmdb-format.js';
import { ByteWriter, controlBytes, ipv4TextBytes, pointerBytes } from './byte-writer.js';

/** The written bytes, in hexadecimal. */
function written(write: (target: ByteWriter) => void): string {
  const target = new ByteWriter();
  write(target);
  return target.bytes.toString('hex', 0, target.length);
}

test.each([
  [TYPE.string, 0, '40'],
  [TYPE.string, 28, '5c'],
  [TYPE.string, 29, '5d00'],
  [TYPE.string, 284, '5dff'],
  [TYPE.string, 285, '5e0000'],
  [TYPE.string, 65_820, '5effff'],
  [TYPE.string, 65_821, '5f000000'],
  [TYPE.string, 65_822, '5f000001'],
  [TYPE.map, 2, 'e2'],
  [TYPE.int32, 4, '0401'],
  [TYPE.array, 1, '0104'],
  [TYPE.boolean, 1, '0107'],
  [TYPE.array, 29, '1d0400'],
])('type %i, size %i: %s', (type, size, hex) => {
  expect(written((target) => target.control(type, size))).toBe(hex);
  if (type <= 7) expect(controlBytes(size)).toBe(hex.length / 2);
});

test.each([
  [TYPE.uint16, 0, 'a0'],
  [TYPE.uint16, 1, 'a101'],
  [TYPE.uint16, 255, 'a1ff'],
  [TYPE.uint16, 256, 'a20100'],
  [TYPE.uint32, 0xffff_ffff, 'c4ffffffff'],
  [TYPE.int32, -1, '0401ffffffff'],
  [TYPE.int32, -(2 ** 31), '040180000000'],
  [TYPE.uint64, 2 ** 40, '0602010000000000'],
  [TYPE.uint64, Number.MAX_SAFE_INTEGER, '07021fffffffffffff'],
])('integer of type %i: %d is %s', (type, value, hex) => {
  expect(written((target) => target.integer(type, value))).toBe(hex);
});

test.each([
  [0, '2000', 2],
  [2047, '27ff', 2],
  [2048, '280000', 3],
  [2049, '280001', 3],
  [526_335, '2fffff', 3],
  [526_336, '30000000', 4],
  [526_337, '30000001', 4],
  [134_744_063, '37ffffff', 4],
  [134_744_064, '3808080800', 5],
  [0xffff_ffff, '38ffffffff', 5],
])('a pointer to %i is %s', (offset, hex, bytes) => {
  expect(written((target) => target.pointer(offset))).toBe(hex);
  expect(pointerBytes(offset)).toBe(bytes);
});

test('a double has eight bytes', () => {
  expect(written((target) => target.double(-12.5))).toBe('68c029000000000000');
});

test.each(['', 'x', 'y'.repeat(32), 'z'.repeat(33), 'ä€😀', 'long'.repeat(50_000)])('text %#', (text) => {
  const target = new ByteWriter();
  // Earlier content survives growth of the buffer.
  target.text('before');
  target.text(text);
  const decoder = new ValueDecoder(target.bytes, 0, target.length);
  expect(decoder.decode(0)).toBe('before');
  expect(decoder.decode(decoder.next)).toBe(text);
  expect(decoder.next).toBe(target.length);
});

test('a part of bytes as text', () => {
  for (const size of [5, 40]) {
    const bytes = Buffer.from(`<${'abcde'.repeat(size / 5)}>`);
    const hex = written((target) => target.utf8(bytes, 1, size + 1));
    expect(hex.slice(size < 29 ? 2 : 4)).toBe(bytes.toString('hex', 1, size + 1));
  }
});

test.each([
  [0, '0.0.0.0'],
  [0x01020304, '1.2.3.4'],
  [0x0a0b0c63, '10.11.12.99'],
  [0x64c8ff09, '100.200.255.9'],
  [0xffff_ffff, '255.255.255.255'],
])('address %i as text', (word, text) => {
  expect(written((target) => target.ipv4Text(word))).toBe(written((target) => target.text(text)));
  expect(ipv4TextBytes(word)).toBe(text.length + 1);
});

test('the buffer grows for any of the values, however full it is', () => {
  for (const write of [
    (target: ByteWriter) => target.ipv4Text(0xffff_ffff),
    (target: ByteWriter) => target.double(1),
    (target: ByteWriter) => target.integer(TYPE.uint64, 2 ** 50),
    (target: ByteWriter) => target.pointer(2 ** 31),
    (target: ByteWriter) => target.control(TYPE.string, 2 ** 20),
  ]) {
    const expected = written(write);
    for (let left = 0; left < 20; left++) {
      const target = new ByteWriter();
      target.length = target.bytes.length - left;
      const start = target.length;
      write(target);
      expect(target.bytes.toString('hex', start, target.length)).toBe(expected);
    }
  }
});

test('a cleared writer starts over', () => {
  expect(
    written((target) => {
      target.text('x');
      target.clear();
      target.text('y');
    }),
  ).toBe('4179');
});
