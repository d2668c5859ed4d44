import { toZone } from './lookup-file.js';

test('values that JSON lacks become text', () => {
  const zone = toZone({
    asn: 2n ** 100n,
    key: new Uint8Array([0xca, 0xfe]),
    names: { en: 'Austria', ids: [1, 2n] },
    is_known: true,
    latitude: 47.5,
  });
  expect(JSON.parse(JSON.stringify(zone))).toEqual({
    asn: '1267650600228229401496703205376',
    key: 'cafe',
    names: { en: 'Austria', ids: [1, '2'] },
    is_known: true,
    latitude: 47.5,
  });
});

test('a column can have any name', () => {
  const hostile = Object.defineProperty({}, '__proto__', { value: 'x', enumerable: true });
  expect(Object.keys(toZone(hostile as never))).toEqual(['__proto__']);
});
