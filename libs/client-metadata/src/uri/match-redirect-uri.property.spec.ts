import fc from 'fast-check';
import { validateRedirectUri } from './validate-redirect-uri.js';
import { matchRedirectUri } from './match-redirect-uri.js';

/** Any code point but a lone surrogate. fast-check's `unit: 'binary'` would build a table of a million entries. */
const codePoint = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const RUNS = { numRuns: 700 };

/** Parts of redirect URIs, including ones that have broken comparisons before. */
const piece = fc.constantFrom(
  ...[
    'https://',
    'http://',
    'com.example.app:',
    'app.example.com',
    'evil.test',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '[x]',
  ],
  ...[
    '.',
    '..',
    '/',
    '//',
    '\\',
    '@',
    ':',
    ':80',
    ':443',
    ':8443',
    '?',
    '#',
    '&',
    '=',
    ';',
    '%',
    '%2e',
    '%2f',
    '%00',
  ],
  ...[
    '%252e',
    '%0a',
    'cb',
    'code',
    'state',
    '*',
    ' ',
    '\t',
    '\n',
    '\0',
    '\u3002',
    '\uff0f',
    'é',
    '\ud800',
    '0',
    'x',
  ],
);
const soup = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const start = fc.constantFrom(
  'https://app.example.com',
  'https://app.example.com/cb',
  'https://app.example.com:8443/',
  'http://127.0.0.1',
  'http://localhost:3000/a/',
  'com.example.app:/cb',
  'com.example.app://',
);
const registered = fc.oneof(
  start,
  fc.tuple(start, soup).map(([a, b]) => a + b),
  soup,
);
const requested = (uri: string) =>
  fc.oneof(
    soup.map((more) => uri + more),
    soup,
  );
const pair = registered.chain((uri) => fc.tuple(fc.constant(uri), requested(uri)));
const kind = fc.constantFrom('web', 'native');

test('no URI accepted by prefix_match has a different origin, for any parser', () => {
  fc.assert(
    fc.property(pair, kind, ([uri, request], applicationType) => {
      const match = matchRedirectUri(request, [uri], 'prefix_match', applicationType);
      fc.pre(match.matches);
      const [a, b] = [new URL(uri), new URL(request)];
      expect([b.protocol, b.host]).toEqual([a.protocol, a.host]);
      expect([b.username, b.password, b.hash]).toEqual(['', '', '']);
    }),
    RUNS,
  );
});

test('no URI accepted by prefix_match leaves the registered path', () => {
  fc.assert(
    fc.property(pair, ([uri, request]) => {
      fc.pre(matchRedirectUri(request, [uri], 'prefix_match', 'web').matches);
      const folder = new URL(uri).pathname;
      expect(new URL(request).pathname.startsWith(folder)).toBe(true);
    }),
    RUNS,
  );
});

test('a URI accepted by prefix_match could be registered, except for its scheme', () => {
  fc.assert(
    fc.property(pair, ([uri, request]) => {
      fc.pre(matchRedirectUri(request, [uri], 'prefix_match', 'web').matches);
      const { hostname } = new URL(request);
      const context = { applicationType: 'native', capabilities: { http_redirect_hosts: [hostname] } };
      const violations = validateRedirectUri(request, context).filter(
        ({ code }) => code !== 'uri_private_scheme',
      );
      expect(violations).toEqual([]);
    }),
    RUNS,
  );
});

test('full_match for a web Client is string equality', () => {
  fc.assert(
    fc.property(pair, ([uri, request]) => {
      expect(matchRedirectUri(request, [uri], 'full_match', 'web').matches).toBe(uri === request);
      expect(matchRedirectUri(uri, [uri], 'full_match', 'web').matches).toBe(true);
    }),
    RUNS,
  );
});

test('full_match for a native Client ignores only a loopback port', () => {
  const port = fc.integer({ min: 0, max: 65_535 });
  fc.assert(
    fc.property(pair, port, ([uri, request], number) => {
      const match = matchRedirectUri(request, [uri], 'full_match', 'native');
      if (match.matches && request !== uri) {
        const [a, b] = [new URL(uri), new URL(request)];
        a.port = b.port = String(number);
        expect(b.href).toBe(a.href);
        expect(b.hostname).toMatch(/^(127\.|\[::1\])/);
      }
    }),
    RUNS,
  );
});

test('a URI accepted by none is absolute for the URL parser, too, and executes nothing', () => {
  fc.assert(
    fc.property(soup, (request) => {
      fc.pre(matchRedirectUri(request, [], 'none', 'web').matches);
      expect(request).toMatch(/^[A-Za-z][A-Za-z0-9+.-]*:/);
      if (URL.canParse(request)) {
        expect(new URL(request).hash).toBe('');
        expect(['javascript:', 'data:', 'file:', 'blob:', 'about:']).not.toContain(new URL(request).protocol);
      }
    }),
    RUNS,
  );
});

test('matching never throws', () => {
  const method = fc.constantFrom('full_match' as const, 'prefix_match' as const, 'none' as const);
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint }),
      fc.array(fc.string({ unit: codePoint })),
      method,
      kind,
      (uri, list, how, type) => {
        expect(typeof matchRedirectUri(uri, list, how, type).matches).toBe('boolean');
      },
    ),
    RUNS,
  );
});
