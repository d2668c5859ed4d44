import fc from 'fast-check';
import { matchesPatterns, parseAllowedSigners } from './allowed-signers.js';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILRBPKu2ejbOyLOFxbs3BK26p3fqdtNSXaYEPgOFAdBf';
const RSA_1024 =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDaPfeIUyJkOLqeMDbUVdxjePu97s6M0XNOiHyd6RzABppH8P+9WYbmzrZAe2qhwbS+1UjEduT1SoEDXKSa9w0ZksWK/O+iIqwPE15IRuo0VGZYYFAYde9XL3ECAPiD5EELlNUJuK5/yiWV9LdN4rH8QxRBgVc2u/iQ0a0hceDAKw==';

test('a line is names, options and a key; comments and empty lines are skipped', () => {
  const text = `# ours\n\n alice@example.com,"b c" namespaces="git,a b",valid-after="20260101Z" ${KEY} a comment\r\n`;
  expect(parseAllowedSigners(text)).toMatchObject([
    {
      line: 3,
      principals: 'alice@example.com,b c',
      namespaces: 'git,a b',
      validAfter: Date.UTC(2026, 0, 1) / 1000,
      validBefore: undefined,
    },
  ]);
  expect(parseAllowedSigners(`a ${KEY}`)[0]?.keyBlob).toHaveLength(51);
});

test.each([
  ['20260102', new Date(2026, 0, 2)],
  ['202601020304', new Date(2026, 0, 2, 3, 4)],
  ['20260102030405', new Date(2026, 0, 2, 3, 4, 5)],
  ['20260102030405Z', new Date(Date.UTC(2026, 0, 2, 3, 4, 5))],
  ['202601020304UTC', new Date(Date.UTC(2026, 0, 2, 3, 4))],
])('valid-before=%s is a time, local unless in UTC', (text, expected) => {
  const [signer] = parseAllowedSigners(`a valid-before="${text}" ${KEY}`);
  expect(signer?.validBefore).toBe(expected.getTime() / 1000);
});

test.each([
  [
    'a cert-authority ' + KEY,
    'line 1: cert-authority is not supported; list the keys of the signers themselves',
  ],
  [`\n!a ${KEY}`, 'line 2: it must start with the names of the signer'],
  [`a valid-before="20260230" ${KEY}`, /^line 1: valid-before must be YYYYMMDD, /],
  [`a valid-before="tomorrow" ${KEY}`, /^line 1: valid-before must be YYYYMMDD, /],
  [`a namespaces=git ${KEY}`, 'line 1: its options cannot be read'],
  [`a namespaces="" ${KEY}`, 'line 1: namespaces has no value in quotes'],
  [`a namespaces="a",namespaces="b" ${KEY}`, 'line 1: namespaces is given twice'],
  [`a no-touch ${KEY}`, 'line 1: unknown option "no-touch"'],
  ['a', /^line 1: it must be names, options if any, the type of a key and the key in base64$/],
  [KEY, /^line 1: it must be names/],
  [`a ${KEY.replace('ssh-ed25519', 'ssh-rsa')}`, 'line 1: the key is not of the type ssh-rsa'],
  [`a ${KEY.slice(0, -8)}`, /^line 1: the key cannot be used: it ends within a value$/],
  [`a ${RSA_1024}`, /^line 1: the key cannot be used: RSA keys of less than 2048 bits are not accepted$/],
  [
    'a ssh-dss AAAAB3NzaC1kc3M=',
    /^line 1: the key cannot be used: keys of this type are not supported \(ssh-ed25519, /,
  ],
  [
    `a ssh-ed25519-cert-v01@openssh.com ${Buffer.from('\0\0\0\x20ssh-ed25519-cert-v01@openssh.com', 'latin1').toString('base64')}`,
    /^line 1: the key cannot be used: SSH certificates are not supported; use plain keys$/,
  ],
  ['# nobody\n', 'it lists no keys'],
])('a list that is not understood allows no signer: %j', (text, message) => {
  expect(() => parseAllowedSigners(text)).toThrow(RangeError);
  expect(() => parseAllowedSigners(text)).toThrow(message);
});

test.each([
  ['git', 'git', true],
  ['git', 'file,g?t', true],
  ['git', '*', true],
  ['git', '', false],
  ['git', 'gi', false],
  ['git', '*,!git', false],
  ['git', '!git,*', false],
  ['git', '!file', false],
  ['g.t', 'g.t', true],
  ['git', 'g.t', false],
])('%s matches the patterns %j: %s', (text, patterns, expected) => {
  expect(matchesPatterns(text, patterns)).toBe(expected);
});

/** OpenSSH's match_pattern, from its description: a character, or any, or any number. */
function naive(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*')
    return naive(text, pattern.slice(1)) || (text !== '' && naive(text.slice(1), pattern));
  return (
    text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && naive(text.slice(1), pattern.slice(1))
  );
}

test('a pattern matches what a naive matcher matches', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '(', '\n'), maxLength: 6 });
  const pattern = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '?', '['),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(fc.property(word, pattern, (a, b) => matchesPatterns(a, b) === naive(a, b)));
});
