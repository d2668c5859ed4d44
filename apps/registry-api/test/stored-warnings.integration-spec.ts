import { SharedPostgres } from '@svc/test-servers';
import { pathOf, registration, type RunningRegistry, runRegistry } from './running-registry.js';

const server = new SharedPostgres();
let database: Readonly<Record<string, string>>;
afterAll(async () => server.dropDatabases());
beforeEach(async () => {
  database = { DATABASE_URL: await server.createRegistryDatabase(), BOOTSTRAP_TOKEN: 't'.repeat(43) };
});

/** Runs a registry for as long as it is used. */
async function withRegistry<T>(
  environment: Readonly<Record<string, string>>,
  use: (registry: RunningRegistry) => Promise<T>,
): Promise<T> {
  const registry = await runRegistry({ ...database, ...environment });
  try {
    return await use(registry);
  } finally {
    await registry.close();
  }
}

test('Clients older than the column for warnings get theirs at the next start', async () => {
  const clientId = await withRegistry({}, async ({ ask, dataSource }) => {
    const { body } = await ask('POST', '/client', { body: registration() });
    await ask('POST', '/client', { body: registration({ code_challenge_method: 'S256' }) });
    await dataSource.query('UPDATE client SET warnings = NULL');
    await dataSource.query('DELETE FROM warning_basis');
    return body['client_id'];
  });
  const rows = await withRegistry({}, async ({ dataSource }) =>
    dataSource.query('SELECT warnings FROM client ORDER BY client_id = $1', [clientId]),
  );
  expect(rows).toEqual([{ warnings: [] }, { warnings: ['weak_pkce'] }]);
});

test('Clients validated by an earlier edition of the rules are validated again', async () => {
  await withRegistry({}, async ({ ask, dataSource }) => {
    await ask('POST', '/client', { body: registration() });
    await dataSource.query('UPDATE client SET warnings = NULL');
    await dataSource.query(`UPDATE warning_basis SET basis = (basis::jsonb - 'edition')::text`);
  });
  const rows = await withRegistry({}, async ({ dataSource }) =>
    dataSource.query('SELECT warnings FROM client'),
  );
  expect(rows).toEqual([{ warnings: ['weak_pkce'] }]);
});

test('warnings that rest on a setting follow it at the next start, without a change of the Client', async () => {
  const [ours, theirs] = [
    { DEFAULT_COOKIE_DOMAIN: 'example.com' },
    { DEFAULT_COOKIE_DOMAIN: 'example.org' },
  ] as const;
  const registered = await withRegistry(ours, async ({ ask }) =>
    ask('POST', '/client', { body: registration({ code_challenge_method: 'S256' }) }),
  );
  expect(registered.body).toMatchObject({ cookie_domain: 'example.com', warnings: [] });
  const path = pathOf(registered.body['client_id']);

  const read = async ({ ask }: RunningRegistry) => {
    const { body, headers } = await ask('GET', path);
    const codes = (body['warnings'] as { code: string }[]).map(({ code }) => code);
    const found = (await ask('GET', '/client?warning=cookie_entry_missing')).body['clients'] as unknown[];
    return { codes, found: found.length, etag: headers.get('etag') };
  };
  const etag = registered.headers.get('etag');
  expect(await withRegistry(theirs, read)).toEqual({ codes: ['cookie_entry_missing'], found: 1, etag });
  expect(await withRegistry(theirs, read)).toEqual({ codes: ['cookie_entry_missing'], found: 1, etag });
  expect(await withRegistry(ours, read)).toEqual({ codes: [], found: 0, etag });
});
