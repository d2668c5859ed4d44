import { asAttachment, parseByteRange } from './send-lookup-file.js';

test.each([
  [undefined, undefined],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=90-', { first: 90, last: 99 }],
  ['bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-0', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
])('%p of 100 bytes is %p', (header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range);
});

test.each([
  ['geo.mmdb', 'attachment; filename="geo.mmdb"'],
  [
    'Städte "neu" (1*).mmdb',
    `attachment; filename="St_dte__neu___1__.mmdb"; filename*=UTF-8''St%C3%A4dte%20%22neu%22%20%281%2a%29.mmdb`,
  ],
])('%s is downloaded under its name', (name, header) => {
  expect(asAttachment(name)).toBe(header);
});
