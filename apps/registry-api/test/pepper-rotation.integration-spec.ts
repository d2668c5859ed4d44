import { SharedPostgres } from '@svc/test-servers';
import { pathOf, registration, type RunningRegistry, runRegistry } from './running-registry.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const TOKEN = 't'.repeat(43);

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

const isValid = async (registry: RunningRegistry, client: Record<string, unknown>) => {
  const body = { client_secret: client['client_secret'] };
  const path = `${pathOf(client['client_id'])}/check/secret`;
  return (await registry.ask('POST', path, { body })).body['valid'];
};

test('secrets move to a new pepper as they are checked, until the former one can be removed', async () => {
  const database = { DATABASE_URL: await server.createRegistryDatabase(), BOOTSTRAP_TOKEN: TOKEN };
  const running = async (pepper: string) => runRegistry({ ...database, SECRET_PEPPER: pepper });

  const before = await running(OLD);
  const [used, unused] = [
    (await before.ask('POST', '/client', { body: registration() })).body,
    (await before.ask('POST', '/client', { body: registration() })).body,
  ];
  expect(before.logged()).not.toContain('pepper');
  await before.close();

  const between = await running(`${NEW} ${OLD}`);
  expect(between.logged()).toMatch(/"secrets":2,.*client secrets still need a former pepper/);
  expect(await isValid(between, { ...used, client_secret: 'wrong' })).toBe(false);
  expect(await isValid(between, used)).toBe(true);
  expect(await isValid(between, used)).toBe(true);
  await between.close();

  const after = await running(NEW);
  expect(after.logged()).toMatch(/"secrets":1,.*client secrets are under a pepper that is not configured/);
  expect(await isValid(after, used)).toBe(true);
  expect(await isValid(after, unused)).toBe(false);
  await after.close();

  const again = await running(`${NEW} ${OLD}`);
  expect(await isValid(again, unused)).toBe(true);
  await again.close();
  const last = await running(`${NEW} ${OLD}`);
  expect(last.logged()).toContain('no client secret needs a former pepper');
  await last.close();
});
