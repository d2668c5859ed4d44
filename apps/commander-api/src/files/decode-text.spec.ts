import { decodeText } from './decode-text.js';

const text = 'password: Grüße\r\n';
const utf16be = (value: string) => Buffer.from(value, 'utf16le').swap16();

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16, little endian', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, big endian', utf16be(`\ufeff${text}`)],
  ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
  ['UTF-16, big endian, without a byte order mark', utf16be(text)],
  ['Latin-1', Buffer.from(text, 'latin1')],
])('%s is decoded', (_case, bytes) => {
  expect(decodeText(bytes)).toBe(text);
});

test.each<[string, Buffer]>([
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])],
  ['zeros', Buffer.alloc(64)],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x3e, 0])],
])('%s is binary', (_case, bytes) => {
  expect(decodeText(bytes)).toBeUndefined();
});

test('an empty file is an empty text', () => {
  expect(decodeText(Buffer.alloc(0))).toBe('');
});
