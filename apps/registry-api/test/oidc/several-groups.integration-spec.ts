import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, registration, type RunningRegistry, runRegistry } from '../running-registry.js';
import { AUDIENCE, type OidcIssuer, startIssuer } from './oidc-issuer.js';

/* A user of the issuer in two groups, which are mapped to two values of one label. */

let issuer: OidcIssuer;
let registry: RunningRegistry;

beforeAll(async () => {
  issuer = await startIssuer();
  registry = await runRegistry({
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_ISSUER: issuer.issuer,
    OIDC_SELECTOR_MAP: 'shop-admins=team:shop billing-admins=team:billing',
    REGISTRATION: 'token',
  });
}, DATABASE_START_MS);

afterAll(async () => {
  await registry.close();
  await issuer.halt();
});

const groups = ['shop-admins', 'billing-admins'];
const scope = 'clients:read clients:write clients:register';
const askAs = async (listed: readonly string[], method: string, path: string, body?: object) =>
  ask(registry.url + path, method, await issuer.sign({ scope, groups: listed }), { body });

test('a developer chooses one of the labels for each registration', async () => {
  for (const team of ['shop', 'billing']) {
    const made = await askAs(groups, 'POST', '/register', registration({ labels: { team } }));
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    const { body } = await registry.ask('GET', `/client/${String(made.body['client_id'])}`);
    expect(body['labels']).toEqual({ team });
  }
  expect((await askAs(groups, 'POST', '/register', registration())).body).toMatchObject({
    errors: [{ code: 'outside_token' }],
  });
});

test('their order makes no difference to pages and jobs', async () => {
  for (const team of ['shop', 'billing']) {
    await registry.ask('POST', '/client', { body: registration({ labels: { team } }) });
  }
  const first = await askAs(groups, 'GET', '/client?limit=1');
  const next = `/client?limit=1&cursor=${String(first.body['next'])}`;
  expect((await askAs(groups.toReversed(), 'GET', next)).status).toBe(200);

  const started = await askAs(groups, 'POST', '/clients/jobs', { action: 'disable', filter: {} });
  const id = String(started.body['id']);
  const jobsAs = async (listed: readonly string[]) => {
    const found = await askAs(listed, 'GET', `/clients/jobs/${id}`);
    return [found.status, (await askAs(listed, 'GET', '/clients/jobs')).body['jobs']];
  };
  const isSeen = [200, [expect.objectContaining({ id: started.body['id'] })]];
  for (const order of [groups, groups.toReversed()]) expect(await jobsAs(order)).toEqual(isSeen);
  // As stored by earlier versions.
  const stored = JSON.stringify({ labels: { team: ['shop', 'billing'] } });
  await registry.dataSource.query('UPDATE client_job SET selector = $1', [stored]);
  expect(await jobsAs(groups)).toEqual(isSeen);
  expect(await jobsAs(['shop-admins'])).toEqual([404, []]);
});
