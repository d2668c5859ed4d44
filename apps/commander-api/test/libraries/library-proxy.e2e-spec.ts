import { rm } from 'node:fs/promises';
import {
  GitRepository,
  type GitServer,
  type HttpProxyServer,
  recordSecrets,
  startGitServer,
  startHttpProxy,
} from '@svc/test-servers';
import { LIBRARY, makeFolder } from './support/library-folder.js';
import { startServer } from './support/server.js';
import { svccmd, svccmdProcess } from './support/svccmd.js';

const PASSWORD = 'pr0xy-S3cr3t/@:%+0123456789';
const FORMS = [PASSWORD, `proxy:${PASSWORD}`].flatMap((text) => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64'),
]);

let repository: GitRepository;
let server: GitServer;
let proxy: HttpProxyServer;
let destination: string;

beforeAll(async () => {
  recordSecrets(...FORMS);
  repository = await GitRepository.create();
  await repository.commit({ ...LIBRARY });
  server = await startGitServer({ root: repository.root });
  proxy = await startHttpProxy({ target: server.address, user: 'proxy', password: PASSWORD });
});

afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await repository.remove();
});

beforeEach(async () => {
  destination = await makeFolder();
});

afterEach(async () => rm(destination, { recursive: true }));

const environment = (more: Record<string, string>) => ({
  SVCCMD_SOURCE_PATH: 'git+http://git.example.com/library.git',
  SVCCMD_DESTINATION_URLS: `file://${destination}`,
  SVCCMD_DEBUG: '1',
  ...more,
});
const address = (user = 'proxy') => `http://${user}:${encodeURIComponent(PASSWORD)}@${proxy.address}`;
const expectNoPassword = (text: string) => {
  for (const form of FORMS) expect(text).not.toContain(form.replace(/=+$/, ''));
};

test('a library is loaded through the proxy in source.proxy or HTTP_PROXY', async () => {
  for (const name of ['SVCCMD_SOURCE_PROXY', 'HTTP_PROXY']) {
    const before = proxy.requests.length;
    const { code, stdout, stderr } = await svccmdProcess(
      ['library', 'load'],
      environment({ [name]: address() }),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(proxy.requests.length).toBeGreaterThan(before);
    expectNoPassword(stdout);
  }
});

test("the proxy's password is in no output, whatever fails", async () => {
  const wrong = address('someone');
  for (const proxyAddress of [wrong, address().replace('http://', 'socks5://'), `${address()}/path`]) {
    for (const name of ['SVCCMD_SOURCE_PROXY', 'HTTP_PROXY']) {
      const { code, stdout, stderr } = await svccmdProcess(
        ['library', 'load'],
        environment({ [name]: proxyAddress }),
      );
      expect(code).toBe(proxyAddress === wrong ? 4 : 3);
      expectNoPassword(stdout + stderr);
      if (proxyAddress !== wrong) expect(stderr).toMatch(/^svccmd: (source\.proxy|HTTP_PROXY): /);
    }
    const shown = await svccmd(['config'], environment({ SVCCMD_SOURCE_PROXY: proxyAddress }));
    expectNoPassword(shown.stdout + shown.stderr);
  }
});

test("the proxy's password is in no response and not in the log", async () => {
  for (const user of ['proxy', 'someone']) {
    const commander = await startServer(environment({ SVCCMD_SOURCE_PROXY: address(user) }));
    const answer = await (await commander.fetch('/library/load', { method: 'PUT' })).text();
    await commander.stop();
    expect(answer).toContain(user === 'proxy' ? '"created"' : '(407)');
    expectNoPassword(answer + commander.log());
  }
});

test('source.timeout and source.max_pack limit a fetch', async () => {
  const source = { SVCCMD_SOURCE_PATH: `git://${server.address}/library.git` };
  const small = await svccmd(['library', 'load'], environment({ ...source, SVCCMD_SOURCE_MAX_PACK: '300' }));
  expect(small.code).toBe(4);
  expect(small.stderr).toContain('the repository is larger than');
  server.faults.delayMs = 5_000;
  const slow = await svccmd(['library', 'load'], environment({ ...source, SVCCMD_SOURCE_TIMEOUT: '300 ms' }));
  delete server.faults.delayMs;
  expect(slow.code).toBe(4);
  expect(slow.stderr).toContain('took longer than 0.3 s');
});
