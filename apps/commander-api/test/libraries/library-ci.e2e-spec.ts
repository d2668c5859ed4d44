import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepository, type GitServer, startGitServer } from '@svc/test-servers';
import { parse } from 'yaml';
import { expectSuccess } from '../shell/type-line.js';
import { blocks, ROOT } from './support/documents.js';
import { LIBRARY, writeFiles } from './support/library-folder.js';
import { type Server, startServer } from './support/server.js';
import { svccmd } from './support/svccmd.js';

/** Commands of the examples, in order. */
function commandsOf(): { github: string[]; gitlab: string[] } {
  const [github = '', gitlab = ''] = blocks('library-ci.md', 'yaml');
  const { jobs } = parse(github) as { jobs: { check: { steps: { run?: string }[] } } };
  const { validate, diff } = parse(gitlab) as Record<'validate' | 'diff', { script: string[] }>;
  return {
    github: jobs.check.steps.flatMap(({ run }) => run ?? []),
    gitlab: [...validate.script, ...diff.script],
  };
}

const BRANCH = 'feature/ssh-parser';

let repository: GitRepository;
let git: GitServer;
let server: Server;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-library-ci-'));
  await mkdir(join(folder, 'bin'));
  await symlink(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
  repository = await GitRepository.create();
  await repository.commit({ ...LIBRARY });
  git = await startGitServer({ root: repository.root });
  const production = {
    SVCCMD_SOURCE_PATH: `git://${git.address}/library.git`,
    SVCCMD_DESTINATION_URLS: `file://${folder}/stored`,
  };
  await svccmd(['library', 'load'], production);
  await repository.inWorkTree('checkout', '--quiet', '-b', BRANCH);
  await repository.commit({
    'Parsers/Linux/30_cron.yaml': 'define: {type: parser}\n',
    'Lookups/ports.csv': null,
  });
  await writeFiles(join(folder, 'checkout'), {
    ...LIBRARY,
    'Parsers/Linux/30_cron.yaml': 'define: {type: parser}\n',
  });
  server = await startServer(production);
  environment = {
    ...production,
    PATH: `${folder}/bin:${process.env['PATH']}`,
    BRANCH,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    COMMANDER_URL: server.url,
    COMMANDER_TOKEN: server.token,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: BRANCH,
  };
});
afterAll(async () => {
  await server.stop();
  await git.stop();
  await repository.remove();
  rmSync(folder, { recursive: true });
});

test('the rules on the page are a valid configuration, and a violation is reported as the page says', async () => {
  const configuration = join(folder, 'svccmd.conf');
  const rules = blocks('library-ci.md', 'ini')[0]!;
  writeFileSync(
    configuration,
    `[source]\npath = checkout\n[destination]\nurls = file://${folder}/ruled\n${rules}`,
  );
  writeFileSync(join(folder, 'parser.schema.json'), blocks('library-ci.md', 'json')[0]!);
  writeFileSync(join(folder, 'dashboard.schema.json'), '{"required": ["title"]}');
  const library = async (...words: string[]) => svccmd(['-c', configuration, 'library', ...words]);
  const checkout = join(folder, 'checkout');
  await svccmd(['keygen', join(folder, 'any.key')]);
  const encrypted = await svccmd(['encpwd', '--yaml', '--key-file', join(folder, 'any.key'), 'hunter2']);
  await writeFiles(checkout, {
    'Parsers/Linux/10_ssh.yaml': 'define: {type: parser}\n',
    'Correlators/Login.yaml': 'when: !EQ [!ITEM {EVENT: user}, root]\n',
    'Dashboards/x.json': '{"title": "x"}',
    'database.yaml': `password: ${encrypted.stdout.trim()}\n`,
  });
  expect(await library('load')).toMatchObject({ code: 0, stdout: expect.stringContaining('load 1 is done') });
  await writeFiles(checkout, {
    'Parsers/Linux/30_cron.yaml': 'define: {type: corelator}\n',
    'Correlators/Login.yaml': 'when: !EQ {}\nx: !INCLUDE gone.yaml\napi_key: hunter2\n',
    'Dashboards/x.json': '{}',
    'database.yaml': 'password: !encpwd hunter2\n',
  });
  const refused = await library('load');
  const printed = blocks('library-ci.md', 'text')[0]!.trim();
  expect(refused.code).toBe(1);
  expect(
    refused.stderr
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replace('svccmd: ', '').trim()),
  ).toEqual([
    'Correlators/Login.yaml:1:11: error: has the tag !EQ on a mapping; it takes a sequence',
    'Correlators/Login.yaml:3:10: error: has an unencrypted value at "api_key": encrypt it (svccmd encpwd)',
    "Dashboards/x.json:1:1: error: does not match dashboard.schema.json: the document must have required property 'title'",
    printed,
    'Correlators/Login.yaml:2:13: error: includes "gone.yaml", which is not in the library',
    'database.yaml:1: error: not an encrypted password: expected five parts separated by dots, the first starting with eyJ',
  ]);
  expect((await library('status')).stdout).toMatch(/^load 1 /m);
});

test.each([
  [
    'schemas',
    'schemas = *: none.json',
    /^svccmd: validate\.schemas: cannot read the schema .*none\.json \(ENOENT\)$/m,
  ],
  [
    'schemas',
    'schemas = *: broken.json',
    /^svccmd: validate\.schemas: broken\.json is not a JSON Schema of draft 2020-12: /m,
  ],
  [
    'tags',
    'tags = EQ: list',
    /^svccmd: validate\.tags: "EQ: list" must be a tag, a colon and one of scalar, sequence, mapping$/m,
  ],
])('a rule in validate.%s that cannot be used is a configuration error: %s', async (_key, line, message) => {
  writeFileSync(join(folder, 'broken.json'), '{"type": 1}');
  const configuration = join(folder, 'broken.conf');
  writeFileSync(configuration, `[source]\npath = checkout\n[validate]\n${line}\n`);
  const { code, stderr } = await svccmd(['-c', configuration, 'library', 'validate']);
  expect([code, stderr]).toEqual([3, expect.stringMatching(message)]);
});

test('encrypted passwords must decrypt with a configured key', async () => {
  const sealed: string[] = [];
  for (const name of ['own', 'other']) {
    const file = join(folder, `${name}.key`);
    await svccmd(['keygen', file]);
    sealed.push((await svccmd(['encpwd', '--key-file', file, 'hunter2'])).stdout.trim());
  }
  const configuration = join(folder, 'keys.conf');
  const library = join(folder, 'with-passwords');
  writeFileSync(
    configuration,
    `[pwdencryptor]\nkey = own.key\n[source]\npath = ${library}\n[validate]\nsealed = password\n`,
  );
  const validate = async () => svccmd(['-c', configuration, 'library', 'validate']);
  const [own, other] = sealed;
  await writeFiles(library, {
    'a.yaml': `password: !encpwd "${own}"\n`,
    'b.yaml': `x: 1\npassword: !encpwd "${other}"\n`,
  });
  const refused = await validate();
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(
    /^b\.yaml:2: error: encrypted with key \S{11}, which is not among the keys given/m,
  );
  expect(refused.stdout).not.toMatch(/a\.yaml/);
  await writeFiles(library, { 'b.yaml': null });
  expect(await validate()).toMatchObject({ code: 0 });
});

const CHANGES = '- create `Parsers/Linux/30_cron.yaml`\n- remove `Lookups/ports.csv`\n- remove `Lookups/`\n';

test.each(['github', 'gitlab'] as const)(
  'the commands for %s show what merging the branch would change',
  async (host) => {
    const commands = commandsOf()[host];
    expect(commands.length).toBeGreaterThan(1);
    await expectSuccess(commands, { cwd: join(folder, 'checkout'), env: environment });
    const shown = readFileSync(join(folder, host === 'github' ? 'summary.md' : 'checkout/diff.md'), 'utf8');
    expect(shown).toMatch(
      /^### What a load would change\n\nfrom `http:.*`: 1 created, 0 updated, 2 deleted, 8 unchanged\n/,
    );
    expect(shown).toContain(CHANGES);
  },
);

test.each(['nowhere', 'a b', '\u0007', 'x'.repeat(256)])(
  'the branch %j is refused, and what is wrong is printed',
  async (ref) => {
    const response = await server.fetch(`/library/diff?${String(new URLSearchParams({ ref }))}`);
    const { detail } = (await response.json()) as { detail: string };
    expect([response.status, detail]).toEqual(
      ref === 'nowhere'
        ? [502, expect.stringContaining('has no branch or tag nowhere')]
        : [400, expect.stringContaining('ref')],
    );
  },
);
