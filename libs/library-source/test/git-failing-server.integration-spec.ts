import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GitRepository, startGitServer, type GitServer } from '@svc/test-servers';
import { GitSource, type GitSourceOptions } from '../src/index.js';

let repository: GitRepository;
let server: GitServer;
let head: string;

beforeAll(async () => {
  repository = await GitRepository.create();
  head = await repository.commit({ 'a.yaml': 'x: 1\n' });
  server = await startGitServer({ root: repository.root, user: 'deploy', token: 's3cret' });
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
});

afterEach(() => {
  for (const fault of Object.keys(server.faults)) delete server.faults[fault as keyof typeof server.faults];
});

const source = (options: Partial<GitSourceOptions> = {}) =>
  new GitSource({ address: `git://deploy:s3cret@${server.address}/library.git`, ...options });
const read = async (options: Partial<GitSourceOptions> = {}) => source(options).read(() => () => true);

const REASON = 'TF401041: The Git protocol sent is not as expected.';

test.each([
  ['words', 400, `${REASON}\r\n`, `returned 400; the server says: ${REASON}`],
  ['a page', 400, `<!DOCTYPE html>\n<TITLE >Sign\n In</TITLE><p>x`, 'returned 400; the server says: Sign In'],
  ['a sign-in page', 203, '<html>', 'the server does not accept the user and token (203)'],
  ['a web page', 200, '<html>', "returned 200, but not in git's protocol"],
  ['much', 400, 'so '.repeat(200), `returned 400; the server says: ${'so '.repeat(100)}...`],
  ['too long', 400, 'so '.repeat(40_000), 'returned 400'],
  ['colours', 400, '\u001b[31mred\u0007 \u202edet', 'returned 400; the server says: [31mred det'],
  ['the token', 400, `s3cret ${'s3cret '.repeat(60)}`, `returned 400; the server says: ${'*** '.repeat(61)}`],
])("the start of the server's message is passed on: %s", async (_case, status, text, reason) => {
  Object.assign(server.faults, { status, text });
  await expect(read()).rejects.toMatchObject({
    name: 'SourceUnreachableError',
    message: `cannot read ${server.url}/library.git: ${reason.trim()}`,
  });
});

test('a server that asks for a user and token which the address lacks says so', async () => {
  await expect(read({ address: `git://${server.address}/library.git` })).rejects.toThrow(
    'the server asks for a user and token (401): put them into the address, as git://<user>:<token>@<host>/<path>.git',
  );
});

test.each([
  ['is busy once', { status: 503, times: 1 }, 4],
  ['rate-limits two requests', { status: 429, times: 2 }, 5],
  ['hangs up once', { hangUps: 1 }, 4],
])('a server that %s is retried', async (_case, faults, requests) => {
  const before = server.requests.length;
  Object.assign(server.faults, faults);
  expect((await read()).revision).toBe(head);
  expect(server.requests.length - before).toBe(requests);
});

test('a server that stays busy, or rejects requests, is not retried forever', async () => {
  for (const [status, requests] of [
    [503, 3],
    [403, 1],
  ] as const) {
    const before = server.requests.length;
    Object.assign(server.faults, { status });
    await expect(read()).rejects.toThrow(`${status}`);
    expect(server.requests.length - before).toBe(requests);
  }
});

test('a response that announces too much is refused before it is received', async () => {
  const type = 'application/x-git-upload-pack-advertisement';
  const endless = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': type, 'content-length': 2 ** 30 }).flushHeaders(),
  );
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  const address = `git://127.0.0.1:${port}/library.git`;
  await expect(read({ address }).finally(() => endless.close())).rejects.toThrow(
    'the repository is larger than the 256 MiB of source.max_pack even without its history',
  );
});

test('the deadline and an abort end the wait for a busy server', async () => {
  server.faults.status = 503;
  await expect(read({ deadlineMs: 100 })).rejects.toThrow(/took longer than 0\.1 s/);
  await expect(source().read(() => () => true, AbortSignal.timeout(100))).rejects.toThrow(/abort/i);
});

test("a server may take longer to respond than Node's agent would wait", async () => {
  server.faults.delayMs = 5_500;
  expect((await read()).revision).toBe(head);
});

test('an abort stops it', async () => {
  server.faults.stallAfter = 100;
  const abort = new AbortController();
  const reading = source().read(() => () => true, abort.signal);
  setTimeout(() => abort.abort(), 200);
  await expect(reading).rejects.toThrow(/abort/i);
});
