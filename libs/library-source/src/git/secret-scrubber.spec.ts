import { SecretScrubber, secretsOf } from './secret-scrubber.js';

const TOKEN = 't/0k@n:%+ž';
const scrubber = new SecretScrubber({ user: 'user', token: TOKEN });

test.each([
  ['as it is', TOKEN],
  ['percent-encoded', encodeURIComponent(TOKEN)],
  ['in base64', Buffer.from(TOKEN).toString('base64')],
  ['in base64url', Buffer.from(TOKEN).toString('base64url')],
  ['in an Authorization header', `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}`],
  ['in a URL', `https://user:${encodeURIComponent(TOKEN)}@h/x`],
])('the token %s is removed', (_case, text) => {
  const clean = scrubber.text(`before ${text} after`);
  expect(clean).toMatch(/^before .*\*\*\*.* after$/);
  expect(clean).not.toContain(text);
});

test('an error’s message, stack, causes and properties are cleaned', () => {
  const cause = Object.assign(new Error(`cause ${TOKEN}`), { data: { url: `x${TOKEN}x`, list: [TOKEN] } });
  const error = scrubber.error(new Error(`message ${TOKEN}`, { cause }));
  expect(
    [error.message, error.stack, cause.message, cause.stack, JSON.stringify(cause.data)].join(),
  ).not.toContain(TOKEN);
  expect(error.message).toBe('message ***');
});

test('handles cyclic and frozen objects', () => {
  const error = new Error(TOKEN) as Error & { self?: Error };
  error.self = error;
  expect(scrubber.error(error).message).toBe('***');
});

test('the secrets of several are removed', () => {
  const both = new SecretScrubber({ user: 'a', token: 'first' }, { user: 'b', token: 'second' });
  expect(both.text('first second third')).toBe('*** *** third');
});

test('without a token nothing is changed', () => {
  const plain = new SecretScrubber({ user: undefined, token: undefined });
  expect(plain.text('text')).toBe('text');
});

const LONG = 'ghp_0123456789abcdef0123';

test.each([
  ['a token', 'deploy', TOKEN, [TOKEN]],
  ["a token in the user's place", LONG, undefined, [LONG]],
  ["a token in the user's place with an empty password", LONG, '', [LONG]],
  ["a short token in the user's place", 'tok', undefined, ['tok']],
  ["a token in the user's place with a placeholder", LONG, 'x-oauth-basic', [LONG]],
  ['two', LONG, TOKEN, [TOKEN, LONG]],
  ["git's conventional user name", 'git', undefined, []],
  ['nothing', undefined, undefined, []],
  ['an empty user', '', '', []],
])('the secret part of an address: %s', (_case, user, token, secrets) => {
  expect(secretsOf(user, token)).toEqual(secrets);
});

test.each([
  ['as it is', (text: string) => text],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded in lower case', (text: string) => encodeURIComponent(text).toLowerCase()],
  ['in capitals', (text: string) => text.toUpperCase()],
  ['in an Authorization header', (text: string) => Buffer.from(`${text}:`).toString('base64')],
  ['in base64', (text: string) => Buffer.from(text).toString('base64')],
  ['as JSON', (text: string) => JSON.stringify(text).slice(1, -1)],
  ['as HTML', (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')],
])("a token in the user's place is removed %s", (_case, encode) => {
  for (const secret of [LONG, 't/0k@n:%+"\\&<ž']) {
    const clean = new SecretScrubber({ user: secret, token: undefined }).text(
      `who are you, ${encode(secret)}?`,
    );
    expect(clean).toMatch(/^who are you, \*\*\*=*\?$/);
  }
});
