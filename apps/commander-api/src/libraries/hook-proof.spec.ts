import { execFileSync } from 'node:child_process';
import { HookProof } from './hook-proof.js';

const SECRET = 'a-secret-of-this-test-0123456789';
const BODY = '{"ref":"refs/heads/main"}';

/** As another program computes it. */
function sign(body: string, algorithm = 'sha256', secret = SECRET): string {
  const output = execFileSync('openssl', ['dgst', `-${algorithm}`, '-hmac', secret, '-r'], { input: body });
  return `${algorithm}=${output.toString().split(' ')[0]}`;
}

function check(headers: Record<string, string>, body = BODY): 'refused' | 'push' | 'other' {
  const proof = HookProof.from(headers, SECRET);
  // In pieces, as a network delivers it.
  for (let at = 0; at < body.length; at += 7) proof?.update(Buffer.from(body).subarray(at, at + 7));
  if (!proof?.isGenuine()) return 'refused';
  return proof.isPush() ? 'push' : 'other';
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

test.each([
  [
    'GitHub',
    { 'x-github-event': 'push', 'x-hub-signature-256': sign(BODY), 'x-hub-signature': sign(BODY, 'sha1') },
  ],
  ['an upper-case signature', { 'x-github-event': 'push', 'x-hub-signature-256': sign(BODY).toUpperCase() }],
  ['Bitbucket', { 'x-event-key': 'repo:push', 'x-hub-signature': sign(BODY) }],
  ['Bitbucket Data Center', { 'x-event-key': 'repo:refs_changed', 'x-hub-signature': sign(BODY) }],
  ['GitLab', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET }],
  ['GitLab, a tag', { 'x-gitlab-event': 'Tag Push Hook', 'x-gitlab-token': SECRET }],
  ['Azure DevOps', basic(`svc:${SECRET}`)],
  ['Azure DevOps without a user', basic(`:${SECRET}`)],
])('a push of %s is genuine', (_case, headers) => expect(check(headers)).toBe('push'));

test.each([
  ['nothing', {}],
  ['SHA-1 alone', { 'x-hub-signature': sign(BODY, 'sha1') }],
  ['SHA-1 in the place of SHA-256', { 'x-hub-signature-256': sign(BODY, 'sha1') }],
  ['another secret', { 'x-hub-signature-256': sign(BODY, 'sha256', `${SECRET}x`) }],
  ['another body', { 'x-hub-signature-256': sign('{}') }],
  ['a digest without its algorithm', { 'x-hub-signature-256': sign(BODY).slice('sha256='.length) }],
  ['a wrong signature and the right token', { 'x-hub-signature': 'sha256=00', 'x-gitlab-token': SECRET }],
  ['a wrong token', { 'x-gitlab-token': SECRET.toUpperCase() }],
  ['an empty token', { 'x-gitlab-token': '' }],
  ['the secret as the user', basic(`${SECRET}:x`)],
  ['the secret alone', basic(SECRET)],
  ['the secret as a bearer token', { authorization: `Bearer ${SECRET}` }],
])('a push with %s is refused', (_case, headers) => expect(check(headers)).toBe('refused'));

test.each([
  ['{"event_name":"push"}', 'push'],
  ['{"event_name": "tag_push"}', 'push'],
  ['{"event_name":"repository_update"}', 'push'],
  ['{"event_name":"user_create"}', 'other'],
  ['{"no name":1}', 'push'],
])("GitLab's system hook with %s", (body, expected) => {
  expect(check({ 'x-gitlab-event': 'System Hook', 'x-gitlab-token': SECRET }, body)).toBe(expected);
});

test.each([
  ['{"id":"1","eventType":"git.push"}', 'push'],
  ['{"eventType":"workitem.created"}', 'other'],
])('Azure DevOps with %s', (body, expected) => expect(check(basic(`svc:${SECRET}`), body)).toBe(expected));

test.each([
  [{ 'x-github-event': 'ping' }],
  [{ 'x-github-event': 'issues' }],
  [{ 'x-gitlab-event': 'Note Hook' }],
  [{ 'x-event-key': 'diagnostics:ping' }],
  [{}],
])('an event that is not a push is recognized: %j', (event) => {
  expect(check({ ...event, 'x-hub-signature-256': sign(BODY) })).toBe('other');
});
