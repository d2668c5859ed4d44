import { execFileSync } from 'node:child_process';
import { format, resolveConfig } from 'prettier';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const NOTICES = `${ROOT}tools/licences/notices.mjs`;

/** What a module of the tools gives; they are scripts, outside what TypeScript looks at. */
function given<T>(expression: string): T {
  const script = `import * as notices from ${JSON.stringify(NOTICES)}; console.log(JSON.stringify(${expression}))`;
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options)) as T;
}

test('shipped artifacts contain only packages with allowed licences', () => {
  expect(given<string[]>('notices.refusedLicences()')).toEqual([]);
});

test.each([
  ['MIT OR GPL-3.0-only', true],
  ['(MIT AND Zlib)', true],
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  ['none named', false],
])('a package under %s passes: %s', (licence, passes) => {
  const shipped = JSON.stringify([{ packages: [{ name: 'a', version: '1.0.0', licence }] }]);
  expect(given<string[]>(`notices.refusedLicences(${shipped})`)).toEqual(
    passes ? [] : [`a 1.0.0: ${licence}`],
  );
});

test.each([
  ['openpgp', true, true],
  ['openpgp', false, false],
  ['another', true, false],
])('%s under the LGPL, files of its own: %s, passes: %s', (name, isApart, passes) => {
  const packages = [{ name, version: '1.0.0', licence: 'LGPL-3.0+' }];
  const refused = given<string[]>(
    `notices.refusedLicences(${JSON.stringify([{ packages, apart: isApart ? [name] : [] }])})`,
  );
  expect(refused).toEqual(passes ? [] : [`${name} 1.0.0: LGPL-3.0+`]);
});

test('each of the three contains its known packages, and no development tools', () => {
  const names = given<string[][]>('notices.SHIPPED.map(({ packages }) => packages.map(({ name }) => name))');
  const [registry, commander, ui] = names.map((each) => new Set(each));
  expect([registry!.has('typeorm'), registry!.has('pino'), commander!.has('node-zookeeper-client')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([ui!.has('react'), ui!.has('scheduler'), ui!.has('@fontsource-variable/inter')]).toEqual([
    true,
    true,
    true,
  ]);
  for (const tool of ['jest', 'vite', 'typescript', 'playwright-core', 'oidc-provider'])
    for (const each of [registry, commander, ui]) expect([tool, each!.has(tool)]).toEqual([tool, false]);
});

test('docs/licences.md and THIRD-PARTY-NOTICES.txt are current (node tools/docs.mjs writes them)', async () => {
  const filepath = `${ROOT}docs/licences.md`;
  const tables = await format(given<string>('notices.licenceTables()'), {
    ...(await resolveConfig(filepath)),
    filepath,
  });
  expect(readPage('docs/licences.md')).toBe(tables);
  expect(readPage('THIRD-PARTY-NOTICES.txt')).toBe(given<string>('notices.bundleNotices()'));
});
