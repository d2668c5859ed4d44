import { type ClientFolder, declaration, makeClientFolder } from './client-folder.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

/* What the registry says about requests: why one is refused, and what those of a Client show. */

let registry: RunningRegistry;
let folder: ClientFolder;

beforeAll(async () => {
  registry = await startRegistry();
  folder = makeClientFolder(registry);
  folder.write('a.yaml', declaration('a'));
  expect((await folder.run(['apply', '--quiet', 'a.yaml'])).code).toBe(0);
}, 120_000);
afterAll(async () => {
  folder.remove();
  await registry.stop();
});

describe('explain', () => {
  const url = (id: string) =>
    `https://login.example.com/authorize?${new URLSearchParams({
      ...{ client_id: id, response_type: 'code', redirect_uri: 'https://a.example.com/cb/' },
    }).toString()}`;

  test('names the rule, marks the difference and says what broke it, from standard input too', async () => {
    const { code, stdout } = await folder.run(['explain'], url('a'));
    expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      ['the registry rejects this request from a (The a)', expect.stringMatching(/^ {2}no_match: /)],
    ]);
    expect(stdout).toContain('nearest redirect URI (difference: a slash at the end):\n');
    const asJson = await folder.run(['explain', '--json', url('a')]);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ valid: false, history: 'never_valid' });
  });

  test('more than a URL on standard input is refused', async () => {
    expect(await folder.run(['explain'], `${url('a')}&state=${'x'.repeat(40_000)}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'svccmd: standard input is larger than 32 KiB: give it a single URL\n',
    });
  });

  test.each([
    ['not a URL', 2, /the URL is not a URL: paste the whole address/],
    [
      '?client_id=a&request_uri=urn%3Ax',
      2,
      /^svccmd: the URL does not contain the parameters of this request: /,
    ],
    ['?client_id=a&request=x', 2, /^svccmd: the URL has its parameters inside a request object /],
    [url('nobody'), 1, /the registry has no client 'nobody'/],
  ])('%s fails with the reason', async (given, code, reason) => {
    expect(await folder.run(['explain', given])).toMatchObject({
      code,
      stderr: expect.stringMatching(reason) as string,
    });
  });
});

describe('recommendations', () => {
  test('says what is not recorded completely yet, and how many Clients that concerns', async () => {
    const { code, stdout, stderr } = await folder.run(['recommendations', '--days', '7', '--label', 'team']);
    expect([code, stdout, stderr]).toEqual([0, 'no recommendations\n', '']);
    const all = await folder.run(['recommendations', '--json', '--kind', 'disable', 'use_full_match']);
    expect(JSON.parse(all.stdout)).toMatchObject({ recommendations: [], examined: 1, unproven: 1 });
    expect(all.stderr).toMatch(/nothing is recommended for 1 of 1 client: usage of 30 days from 20\d\d-/);
  });

  test('an unknown kind is rejected by the registry', async () => {
    const { code, stderr } = await folder.run(['recommendations', '--kind', 'delete']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('/kind: ')]);
  });
});
