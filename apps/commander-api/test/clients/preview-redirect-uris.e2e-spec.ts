import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { blocks, ROOT } from '../libraries/support/documents.js';
import { expectSuccess, typeLine } from '../shell/type-line.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

const ACTION = new URL('deploy/github/preview-redirect-uri/action.yml', ROOT);

interface Action {
  readonly inputs: Readonly<Record<string, { required?: true; default?: string }>>;
  readonly runs: { readonly steps: readonly [{ env: Readonly<Record<string, string>>; run: string }] };
}

interface GithubJob {
  readonly steps: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
}

let registry: RunningRegistry;
let folder: string;
let place: { cwd: string; env: Record<string, string> };
beforeAll(async () => {
  registry = await startRegistry();
  folder = mkdtempSync(join(tmpdir(), 'svc-preview-'));
  await mkdir(join(folder, 'bin'));
  await symlink(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
  place = { cwd: folder, env: { PATH: `${folder}/bin:${process.env['PATH']}` } };
  const body = {
    preferred_client_id: 'shop',
    client_name: 'Shop',
    redirect_uris: ['https://shop.example/cb'],
  };
  await registry.ask('POST', '/client', body);
}, 120_000);
afterAll(async () => {
  await registry.stop();
  rmSync(folder, { recursive: true });
});

const temporary = async () =>
  (await registry.ask('GET', '/client/shop')).body['temporary_redirect_uris'] as
    { redirect_uri: string; expires_at: string; note?: string }[] | undefined;

/** What lets the commands reach the registry. */
const access = () => ({ SVCCMD_REGISTRY_URL: registry.url, SVCCMD_REGISTRY_TOKEN: registry.token });

/** Types the script of the action as a runner does: inputs reach it as variables alone. */
function actionStep(given: Readonly<Record<string, string>>) {
  const { inputs, runs } = parse(readFileSync(ACTION, 'utf8')) as Action;
  const [{ env, run }] = runs.steps;
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, given[name] ?? input.default ?? '']),
  );
  const filled = Object.entries(env).map(([name, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
    return [name, values[input] ?? `no input: ${value}`];
  });
  return { run, env: Object.fromEntries(filled) as Record<string, string> };
}

test('the action adds a redirect URI for a while and removes it, whatever its inputs hold', async () => {
  const [github = ''] = blocks('preview-redirect-uris.md', 'yaml');
  const job = (parse(github) as { jobs: { 'redirect-uri': GithubJob } }).jobs['redirect-uri'];
  const used = job.steps.find(({ uses }) => uses.endsWith('/preview-redirect-uri'))!.with;
  const { inputs } = parse(readFileSync(ACTION, 'utf8')) as Action;
  const required = Object.keys(inputs).filter((name) => inputs[name]?.required);
  expect(Object.keys(used)).toEqual(expect.arrayContaining(required));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(used)));

  const uri = 'https://pr-41.preview.example.com/cb';
  const note = '--note "$(touch injected)"; `touch injected`';
  const step = async (operation: string, given = note) => {
    const { run, env } = actionStep({
      ...used,
      ...{ operation, 'registry-url': registry.url, token: registry.token, 'redirect-uri': uri },
      note: given,
    });
    expect(run).not.toContain('${{');
    return typeLine(run, { ...place, env: { ...place.env, ...env } });
  };
  expect(await step('add')).toMatchObject({ code: 0 });
  const [added] = (await temporary()) ?? [];
  expect(added).toMatchObject({ redirect_uri: uri, note });
  const days = (Date.parse(added!.expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(await typeLine('test ! -e injected', place)).toMatchObject({ code: 0 });
  // Branches may have longer names than notes.
  expect(await step('add', `shop/web ${'branch/'.repeat(40)}`)).toMatchObject({ code: 0 });
  expect((await temporary())?.[0]?.note).toMatch(/^shop\/web branch.{185}$/);
  expect(await step('remove')).toMatchObject({ code: 0 });
  expect(await temporary()).toBeUndefined();
  const wrong = await step('delete');
  expect([wrong.code, wrong.stdout]).toEqual([2, '::error::operation must be add or remove\n']);
});

test('the jobs for GitLab add a redirect URI for a while and remove it', async () => {
  const [, gitlab = ''] = blocks('preview-redirect-uris.md', 'yaml');
  const jobs = parse(gitlab) as Record<string, { variables: Record<string, string>; script: string[] }>;
  const { CLIENT_ID = '', REDIRECT_URI = '' } = jobs['.redirect-uri']!.variables;
  const uri = REDIRECT_URI.replace('$CI_MERGE_REQUEST_IID', '41');
  const env = {
    ...{ ...place.env, ...access(), CLIENT_ID, REDIRECT_URI: uri },
    ...{ CI_MERGE_REQUEST_IID: '41', CI_PROJECT_PATH: 'shop/web' },
  };
  await expectSuccess(jobs['add-redirect-uri']!.script, { ...place, env });
  expect(await temporary()).toMatchObject([{ redirect_uri: uri, note: 'shop/web !41' }]);
  await expectSuccess(jobs['remove-redirect-uri']!.script, { ...place, env });
  expect(await temporary()).toBeUndefined();
});
