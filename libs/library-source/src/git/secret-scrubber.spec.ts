import { SecretScrubber } from './secret-scrubber.js';

const TOKEN = 't/0k@n:%+ž';
const scrubber = new SecretScrubber('user', TOKEN);

test.each([
  ['as it is', TOKEN],
  ['percent-encoded', encodeURIComponent(TOKEN)],
  ['in base64', Buffer.from(TOKEN).toString('base64')],
  ['in base64url', Buffer.from(TOKEN).toString('base64url')],
  ['in an Authorization header', `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}`],
  ['in a URL', `https://user:${encodeURIComponent(TOKEN)}@h/x`],
])('the token %s is cut out', (_case, text) => {
  const clean = scrubber.text(`before ${text} after`);
  expect(clean).toMatch(/^before .*\*\*\*.* after$/);
  expect(clean).not.toContain(text);
});

test('an error is cleaned in its message, stack, causes and data', () => {
  const cause = Object.assign(new Error(`cause ${TOKEN}`), { data: { url: `x${TOKEN}x`, list: [TOKEN] } });
  const error = scrubber.error(new Error(`message ${TOKEN}`, { cause }));
  expect(
    [error.message, error.stack, cause.message, cause.stack, JSON.stringify(cause.data)].join(),
  ).not.toContain(TOKEN);
  expect(error.message).toBe('message ***');
});

test('what is cyclic or frozen does not stop it', () => {
  const error = new Error(TOKEN) as Error & { self?: Error };
  error.self = error;
  expect(scrubber.error(error).message).toBe('***');
});

test('without a token nothing is touched', () => {
  const plain = new SecretScrubber(undefined, undefined);
  expect(plain.text('text')).toBe('text');
});
