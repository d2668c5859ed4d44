import { isFQDN } from 'class-validator';
import fc from 'fast-check';
import { effectivePort, isDomain, isHost, isPort } from './host.js';

test.each([
  'example.com',
  'a.b.c.example',
  'EXAMPLE.com',
  'xn--bcher-kva.example',
  'localhost',
  'LOCALHOST',
  'svc.k8s',
  '1.example',
])('%s is a domain', (text) => {
  expect(isDomain(text)).toBe(true);
});

test.each([
  ['one label', 'com'],
  ['an address', '192.0.2.1'],
  ['an IPv6 address', '[::1]'],
  ['a numeric end', 'example.123'],
  ['a closing dot', 'example.com.'],
  ['an empty label', 'example..com'],
  ['a hyphen first', '-a.example'],
  ['a hyphen last', 'a-.example'],
  ['an underscore', 'a_b.example'],
  ['a wildcard', '*.example.com'],
  ['a port', 'example.com:80'],
  ['a path', 'example.com/'],
  ['a scheme', 'https://example.com'],
  ['a space', 'exa mple.com'],
  ['a semicolon, which ends a cookie attribute', 'example.com;a'],
  ['a U-label', 'bücher.example'],
  ['a label of 64 characters', `${'a'.repeat(64)}.example`],
  ['255 characters', `${'a.'.repeat(126)}com`],
  ['nothing', ''],
])('%s is not a domain', (_case, text) => {
  expect(isDomain(text)).toBe(false);
});

test('domains of letters agree with class-validator', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/).filter((text) => !text.startsWith('xn--'));
  const domain = fc.tuple(fc.array(label, { maxLength: 3 }), fc.stringMatching(/^[a-z]{2,4}$/));
  fc.assert(
    fc.property(domain, ([labels, last]) => {
      const text = [...labels, last].join('.');
      expect(isDomain(text)).toBe(isFQDN(text));
    }),
  );
});

test('a host is a name, an IPv4 address or a bracketed IPv6 address', () => {
  const hosts = ['example.com', 'example.com.', 'a_b', 'intranet', '192.0.2.1', '[::1]', '[2001:DB8::1]'];
  expect(hosts.filter((host) => !isHost(host))).toEqual([]);
  const others = [
    '',
    '.',
    'a..b',
    '2130706433',
    '0x7f.1',
    '1.2.3',
    '1.2.3.4.',
    '[::1',
    '::1',
    '[::1]x',
    '[1]',
    'a b',
    'é',
  ];
  expect(others.filter(isHost)).toEqual([]);
});

test('names up to 253 characters and a closing dot are hosts, longer ones are not', () => {
  const name = `${'a.'.repeat(126)}b`;
  expect([name.length, isHost(name), isHost(`${name}.`), isHost(`${name}b.`)]).toEqual([
    253,
    true,
    true,
    false,
  ]);
});

test('a port is a number up to 65535 without leading zeros', () => {
  expect(['0', '1', '80', '65535'].every(isPort)).toBe(true);
  expect(['', '00', '080', '65536', '100000', '-1', '+1', '8o', '1.0', ' 1'].some(isPort)).toBe(false);
});

test('a scheme implies its default port', () => {
  expect([
    effectivePort('https', undefined),
    effectivePort('http', undefined),
    effectivePort('x', undefined),
  ]).toEqual([443, 80, undefined]);
  expect(effectivePort('https', '8443')).toBe(8443);
});
