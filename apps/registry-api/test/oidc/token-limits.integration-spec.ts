import { ApiToken } from '../../src/tokens/api-token.entity.js';
import { MAX_DESCENDANTS, MAX_TOKENS } from '../../src/tokens/token-limits.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { type Answer, ask, type RunningRegistry, runRegistry } from '../running-registry.js';
import { deleteFiller, fillTokens } from '../tokens/fill-tokens.js';
import { AUDIENCE, type OidcIssuer, startIssuer } from './oidc-issuer.js';

/* Tokens that users of the issuer create: some users reach all clients, others those of a team. */

let issuer: OidcIssuer;
let registry: RunningRegistry;

beforeAll(async () => {
  issuer = await startIssuer();
  registry = await runRegistry({
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_ISSUER: issuer.issuer,
    OIDC_SELECTOR_MAP: 'admins=* shop=team:shop billing=team:billing',
  });
}, DATABASE_START_MS);
afterEach(async () => deleteFiller(registry.dataSource));
afterAll(async () => {
  await registry.close();
  await issuer.halt();
});

const scope = 'clients:read tokens:write';
const createWith = async (token: string, members: object = {}): Promise<Answer> =>
  ask(`${registry.url}/token`, 'POST', token, {
    body: { name: 'made', scopes: scope.split(' '), ...members },
  });
const createAs = async (group: string, members?: object): Promise<Answer> =>
  createWith(await issuer.sign({ sub: `of-${group}`, scope, groups: [group] }), members);
const statusWith = async ({ body }: Answer) => (await createWith(String(body['token']))).status;
const statusAs = async (group: string) => (await createAs(group)).status;
/** Stores tokens as if the same caller had created them in the same way. */
const fillLike = async (count: number, { body }: Answer) => {
  const tokens = registry.dataSource.getRepository(ApiToken);
  await fillTokens(registry.dataSource, count, await tokens.findOneByOrFail({ id: String(body['id']) }));
};

test('a restricted user and the tokens that descend from it share one limit', async () => {
  const child = await createAs('shop');
  const grandchild = await createWith(String(child.body['token']));
  expect([child.status, grandchild.status]).toEqual([201, 201]);
  await fillLike(MAX_DESCENDANTS - 2, child);
  expect([await statusAs('shop'), await statusWith(child), await statusWith(grandchild)]).toEqual([
    409, 409, 409,
  ]);
  expect(await statusAs('billing')).toBe(201);
});

test('what a user created when it reached all clients does not count once it reaches only some', async () => {
  const formerly = await issuer.sign({ sub: 'of-shop', scope, groups: ['admins'] });
  await fillLike(MAX_DESCENDANTS, await createWith(formerly));
  expect(await statusAs('shop')).toBe(201);
});

test('what restricted users create keeps no unrestricted caller from creating tokens', async () => {
  await fillLike(MAX_TOKENS, await createAs('billing'));
  expect(await statusAs('admins')).toBe(201);
  expect((await createWith(registry.token)).status).toBe(201);
});

test('restricted tokens that an unrestricted user creates count as its own, and have limits of their own', async () => {
  const child = await createAs('admins', { selector: { team: 'shop' } });
  await fillLike(MAX_DESCENDANTS, child);
  expect(await statusWith(child)).toBe(201);
  await fillLike(MAX_TOKENS - MAX_DESCENDANTS, child);
  expect(await statusAs('admins')).toBe(409);
});
