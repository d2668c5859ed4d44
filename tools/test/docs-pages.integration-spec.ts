import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { readPage } from './support/documented-tables.js';
import { fencedBlocks } from './support/fenced-blocks.js';
import { ROOT } from './support/services.js';

const DOCS = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...DOCS].sort();

const COMMANDER = 'apps/commander-api/test';

/** Which test runs the commands of a page: those in blocks of a language. The test names the page. */
const RUN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/authorization-server.md': { console: 'apps/example-authorization-server/test/docs.e2e-spec.ts' },
  'docs/client-metadata.md': { console: `${COMMANDER}/clients/client-validate.e2e-spec.ts` },
  'docs/clients-as-declarations.md': { console: `${COMMANDER}/docs/client-docs.e2e-spec.ts` },
  'docs/configuration.md': { console: `${COMMANDER}/docs/docs.e2e-spec.ts` },
  'docs/checkpwd.md': {
    console: `${COMMANDER}/docs/docs.e2e-spec.ts`,
    sh: `${COMMANDER}/passwords/checkpwd.e2e-spec.ts`,
  },
  'docs/encpwd.md': {
    console: `${COMMANDER}/docs/docs.e2e-spec.ts`,
    sh: `${COMMANDER}/docs/docs.e2e-spec.ts`,
  },
  'docs/generated-clients.md': { sh: 'tools/test/generated-clients.e2e-spec.ts' },
  'docs/high-availability.md': { sh: 'tools/test/high-availability.e2e-spec.ts' },
  'docs/iplookup.md': {
    console: `${COMMANDER}/docs/iplookup-docs.e2e-spec.ts`,
    sh: `${COMMANDER}/docs/iplookup-docs.e2e-spec.ts`,
  },
  'docs/iplookup-guards.md': {
    console: `${COMMANDER}/docs/iplookup-guards-docs.e2e-spec.ts`,
    sh: `${COMMANDER}/docs/iplookup-guards-docs.e2e-spec.ts`,
  },
  'docs/iplookup-sync.md': { console: `${COMMANDER}/docs/iplookup-sync-docs.e2e-spec.ts` },
  'docs/libraries.md': {
    console: `${COMMANDER}/libraries/libraries.e2e-spec.ts`,
    sh: `${COMMANDER}/libraries/libraries.e2e-spec.ts`,
  },
  'docs/library.md': { console: `${COMMANDER}/libraries/library-docs.e2e-spec.ts` },
  'docs/library-http.md': { sh: `${COMMANDER}/libraries/library-http-docs.e2e-spec.ts` },
  'docs/library-recovery.md': { console: `${COMMANDER}/libraries/library-docs.e2e-spec.ts` },
  'docs/library-signed.md': { sh: `${COMMANDER}/libraries/library-signed.e2e-spec.ts` },
  'docs/move-from-auth0.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/move-from-authentik.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/move-from-csv.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/move-from-hydra.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/move-from-keycloak.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/move-from-oidc-provider.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/move-from-seacat.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/moving-in.md': { console: `${COMMANDER}/clients/moving-in-docs.e2e-spec.ts` },
  'docs/operations.md': {
    console: 'tools/test/observability.e2e-spec.ts',
    sh: 'tools/test/backup.e2e-spec.ts',
  },
  'docs/registry.md': { console: 'apps/registry-api/test/docs.e2e-spec.ts' },
  'docs/svccmd.md': {
    console: `${COMMANDER}/docs/docs.e2e-spec.ts`,
    sh: `${COMMANDER}/docs/docs.e2e-spec.ts`,
  },
};

/** Blocks that a test runs in another way, or that none runs: by page and first line, `*` for all of the page. */
const APART: readonly (readonly [page: string, firstLine: string, reason: string])[] = [
  ['README.md', 'npm ci && npm start', 'tools/test/first-tour.e2e-spec.ts runs what it starts'],
  ['README.md', 'npm ci && npm test', 'it is the run that this test is part of'],
  [
    'README.md',
    '# Register a client. Its secret appears only in this response.',
    'tools/test/first-tour.e2e-spec.ts',
  ],
  ['README.md', 'node docker/make-secrets.mjs', 'needs a container engine; CI has a job with one'],
  ['CONTRIBUTING.md', 'npm ci            # once', 'a list of drills, each of which takes minutes'],
  [
    'docs/authorization-server.md',
    'npm run example:authorization-server',
    'apps/example-authorization-server/test/example.e2e-spec.ts',
  ],
  [
    'docs/authorization-server.md',
    'sudo apt-get install python3-authlib python3-flask python3-urllib3',
    'apps/example-authorization-server/test/python-server.drill-spec.ts starts it',
  ],
  [
    'docs/reliability.md',
    '*',
    'drills take minutes; most are tests of the suite, which run them with few rounds',
  ],
  ['docs/containers.md', '*', 'needs a container engine: npm run verify:containers'],
  [
    'docs/clients-as-declarations.md',
    'export SVCCMD_REGISTRY_URL=http://127.0.0.1:8081',
    "tells where the reader's registry is",
  ],
  [
    'docs/registry.md',
    "printf 'network,zone\\n10.1.0.0/16,office\\n127.0.0.0/8,machine\\n' > iplookup/zones.csv",
    'tools/test/support/exercised-services.ts does the like before it starts a registry',
  ],
  [
    'docs/security.md',
    'node apps/registry-api/dist/main.js token create --name rescue --expires-in 1h',
    'apps/registry-api/test/registry.e2e-spec.ts',
  ],
  [
    'docs/security.md',
    'node apps/registry-api/dist/main.js audit verify',
    'apps/registry-api/test/security-events/audit-verify.e2e-spec.ts',
  ],
  [
    'docs/packages.md',
    'npm run pack -- packages',
    'tools/test/packages.drill-spec.ts installs into a folder, not globally',
  ],
  [
    'docs/releases.md',
    'npx nx release 1.2.3 --skip-publish --dry-run   # shows what it would write',
    'tools/test/release.drill-spec.ts runs it in a copy',
  ],
  [
    'docs/releases.md',
    'npm audit signatures   # in a project that has installed the packages',
    'needs a published version',
  ],
  [
    'docs/svccmd.md',
    'source <(svccmd completion bash)      # in ~/.bashrc',
    `${COMMANDER}/shell/completion.e2e-spec.ts`,
  ],
  [
    'docs/troubleshooting.md',
    'curl -sS -H \'X-Request-Id: case-1\' -H "Authorization: Bearer $TOKEN" $REGISTRY/client/nobody',
    'libs/service-kit/test/http-service.integration-spec.ts asks with an id',
  ],
];

const commandBlocks = (page: string) =>
  fencedBlocks(readPage(page)).filter(({ language }) => ['sh', 'bash', 'console'].includes(language));

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

test.each(PAGES)(
  'each block of commands in %s is run by a test, or listed as an exception with a reason',
  (page) => {
    const unknown = commandBlocks(page).filter(
      ({ language, text }) =>
        RUN[page]?.[language] === undefined &&
        !APART.some(([apartPage, line]) => apartPage === page && (line === '*' || line === firstLine(text))),
    );
    expect(unknown.map(({ text }) => firstLine(text))).toEqual([]);
  },
);

test('each test that runs a page is there, and names it', () => {
  for (const [page, runs] of Object.entries(RUN)) {
    for (const [language, spec] of Object.entries(runs)) {
      const name = page.replace('docs/', '').replace('.md', '');
      expect([page, language, existsSync(ROOT + spec) && readPage(spec).includes(name)]).toEqual([
        page,
        language,
        true,
      ]);
      expect([page, commandBlocks(page).some((block) => block.language === language)]).toEqual([page, true]);
    }
  }
});

test('every listed exception exists', () => {
  const gone = APART.filter(
    ([page, line]) => !commandBlocks(page).some(({ text }) => line === '*' || firstLine(text) === line),
  );
  expect(gone).toEqual([]);
  const named = APART.map(([, , reason]) => /^\S+-spec\.ts/.exec(reason)?.[0]).filter(
    (spec) => spec !== undefined,
  );
  expect(named.filter((spec) => !existsSync(ROOT + spec))).toEqual([]);
});

/** For people who change the code: CONTRIBUTING.md leads to them, and the users' contents do not. */
const FOR_CONTRIBUTORS = ['docs/architecture.md'];

test('docs/README.md leads to every page for users, CONTRIBUTING.md to the others', () => {
  const index = readPage('docs/README.md');
  const pages = DOCS.filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/decisions/'));
  const isLinked = (page: string) => index.includes(`](${page.replace('docs/', '')})`);
  expect(pages.filter((page) => !isLinked(page))).toEqual(FOR_CONTRIBUTORS);
  for (const page of FOR_CONTRIBUTORS) expect(readPage('CONTRIBUTING.md')).toContain(`](${page})`);
});

test.each(PAGES)('every link of %s within the repository leads somewhere', (page) => {
  const text = readPage(page).replaceAll(/^```[^]*?^```$/gm, '');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target]) => target!);
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(ROOT + target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  });
  expect(dead).toEqual([]);
});

/** As GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = readPage(page)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}
