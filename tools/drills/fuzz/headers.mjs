// Invalid and unusual headers.
import fc from 'fast-check';
import { hostileString } from './hostile.mjs';

/** Content types that few or no endpoints accept. */
export const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;',
  'application/jsonx',
  'application/xml',
  '*/*',
  ';',
  'a',
  '',
];

/** Boundary and invalid values of headers that the services read. */
export const HEADERS = {
  'if-match': [
    '*',
    '"1"',
    '"0"',
    'W/"1"',
    '1',
    '"',
    '"1", "2"',
    '"-1"',
    '"99999999999999999999"',
    ',',
    '"a b"',
  ],
  'if-none-match': ['*', '"1"', 'W/"1"', '"', ',,', 'x'.repeat(2_000)],
  'idempotency-key': ['a', 'x'.repeat(255), 'x'.repeat(256), ' ', '\x80', '\xe9', '"quoted"', 'fuzz'],
  'last-event-id': ['0', '-1', '9007199254740993', 'x', '1e3', '', '1,2'],
  accept: [
    'text/csv',
    'application/json',
    'text/event-stream',
    'image/png',
    '*/*;q=0',
    ';',
    'a/b;q=2',
    '\xff',
    'application/x-ndjson',
  ],
  range: [
    'bytes=0-0',
    'bytes=5-1',
    'bytes=-0',
    'bytes=0-,1-',
    'lines=1-2',
    'bytes=99999999999999999999-',
    'bytes=',
  ],
  'content-encoding': ['gzip', 'br', 'identity', 'zstd, gzip', ''],
  'x-request-id': ['a', 'x'.repeat(300), '\xe9', 'a b', '{}'],
  'x-forwarded-for': ['192.0.2.1', '::1', 'unknown', '192.0.2.1, 10.0.0.1', ',', 'x'.repeat(500), '[::1]:80'],
  'x-forwarded-proto': ['https', 'javascript', ''],
  'x-forwarded-host': ['evil.example', 'a"b', ''],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-x', ''],
  origin: ['null', 'https://evil.example'],
  host: ['evil.example', 'a b', ''],
  'user-agent': ['', '\x80'],
};

/** Name and value. */
export const anyHeader = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((name) =>
    fc.oneof(fc.constantFrom(...HEADERS[name]), hostileString.map(toHeader)).map((value) => [name, value]),
  );

/** Node's client cannot send control characters or characters beyond one byte. */
function toHeader(text) {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 4_000);
}
