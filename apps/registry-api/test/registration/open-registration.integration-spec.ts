import { eventually } from '@svc/test-servers';
import { PendingDeletions } from '../../src/registration/pending-deletions.js';
import { onPostgres } from '../on-both-databases.js';
import { ask, pathOf, registration } from '../running-registry.js';
import { eventuallyRecorded, recorded } from '../security-events/recorded-events.js';

type Members = Record<string, unknown>;

const PAGE = 'https://app.example.com';
const WITH_SECRET = registration({ token_endpoint_auth_method: 'client_secret_basic' });

onPostgres(
  (registry) => {
    /** Registers without a token. */
    const register = async (address: string, body: unknown = WITH_SECRET, headers: object = {}) => {
      const response = await fetch(`${registry().url}/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Members;
      return { status: response.status, headers: response.headers, body: answer };
    };
    const own = async (method: string, client: Members, body?: unknown) =>
      ask(String(client['registration_client_uri']), method, String(client['registration_access_token']), {
        body,
      });
    const check = async ({ client_id, client_secret }: Members) =>
      registry().ask('POST', `${pathOf(client_id)}/check/secret`, { body: { client_secret } });
    const listed = async (query: string) =>
      (await registry().ask('GET', `/client?${query}`)).body['clients'] as Members[];
    const decideOn = async (client: Members, isEnabled: boolean) =>
      isEnabled
        ? registry().ask('POST', `${pathOf(client['client_id'])}/enable`)
        : registry().ask('DELETE', pathOf(client['client_id']));

    beforeEach(async () => {
      await registry().dataSource.query('DELETE FROM open_registration');
      await registry().dataSource.query('DELETE FROM client');
    });

    test('a Client registered without a token fails every check until an administrator enables it', async () => {
      const { status, body: client } = await register('192.0.2.1');
      const path = pathOf(client['client_id']);
      expect([status, client]).toEqual([201, expect.objectContaining({ pending: true })]);
      const { body: admins } = await registry().ask('GET', path);
      expect(admins).toMatchObject({
        ...{ enabled: false, pending: true, managed_by: 'developers' },
        registered_by: { id: 'anonymous', name: 'open registration' },
      });
      expect((await check(client)).body).toMatchObject({ valid: false });
      const request = { redirect_uri: 'https://shop.example/cb', response_type: 'code' };
      const asked = await registry().ask('POST', `${path}/check/authorization_request`, { body: request });
      expect(asked.body).toMatchObject({ valid: false });
      expect((await listed('pending=true')).map(({ client_id }) => client_id)).toEqual([client['client_id']]);
      expect(await listed('pending=false')).toEqual([]);

      const { body: enabled } = await decideOn(client, true);
      expect(enabled).toMatchObject({ enabled: true });
      expect(enabled['pending']).toBeUndefined();
      expect((await check(client)).body).toMatchObject({ valid: true });
      expect(await listed('pending=true')).toEqual([]);
      const { body } = await registry().ask('GET', `${path}/history`);
      const changes = body['changes'] as { kind: string; actor: Members }[];
      expect(changes.map(({ kind, actor }) => [kind, actor['name'], actor['address']])).toEqual([
        ['enabled', 'bootstrap', '127.0.0.1'],
        ['registered', 'open registration', '192.0.2.1'],
      ]);
      expect(await recorded(registry(), `subject=${String(client['client_id'])}`)).toMatchObject([
        { kind: 'client_approved', actor: { name: 'bootstrap' }, details: { client_name: 'Shop' } },
        {
          ...{ kind: 'client_registered', details: { pending: true } },
          actor: { id: 'anonymous', source: 'none', address: '192.0.2.1' },
        },
      ]);
    });

    test('a disabled Client is not pending, even after it was', async () => {
      const { body: client } = await register('192.0.2.1');
      await decideOn(client, true);
      await registry().ask('POST', `${pathOf(client['client_id'])}/disable`);
      expect((await registry().ask('GET', pathOf(client['client_id']))).body['pending']).toBeUndefined();
      expect((await own('GET', client)).status).toBe(403);
    });

    test('a version that knows no pending Clients can enable them', async () => {
      const { body: client } = await register('192.0.2.1');
      await registry().dataSource.query('UPDATE client SET enabled = true');
      expect((await registry().ask('GET', pathOf(client['client_id']))).body['pending']).toBeUndefined();
    });

    test('its developer can read, correct and withdraw it meanwhile, but not enable it', async () => {
      const { body: client } = await register('192.0.2.1');
      expect((await own('GET', client)).body).toMatchObject({ pending: true });
      const changed = { ...WITH_SECRET, client_id: client['client_id'], client_name: 'My shop' };
      expect((await own('PUT', client, { ...changed, enabled: true })).status).toBe(400);
      expect((await own('PUT', client, { ...changed, pending: false })).status).toBe(400);
      const replaced = await own('PUT', client, { ...changed, pending: true });
      expect([replaced.status, replaced.body]).toEqual([
        200,
        expect.objectContaining({ client_name: 'My shop', pending: true }),
      ]);
      expect(await listed('pending=true&enabled=false')).toHaveLength(1);
      expect((await own('DELETE', client)).status).toBe(204);
    });

    test('from one address, or one /64, only so many are accepted a day', async () => {
      const statuses = [];
      for (const end of [1, 2, 3]) {
        await registry().dataSource.query('UPDATE client SET enabled = true');
        statuses.push((await register(`2001:db8::${end}`)).status);
      }
      expect(statuses).toEqual([201, 201, 429]);
      expect((await register('2001:db8:0:1::1')).status).toBe(201);
      await registry().dataSource.query(`UPDATE open_registration SET day = '2026-01-01'`);
      expect((await register('2001:db8::4')).status).toBe(201);
      // What the address had on former days is forgotten.
      const rows = await registry().dataSource.query<Members[]>('SELECT network FROM open_registration');
      expect(rows.map(({ network }) => network).sort()).toEqual(['', '2001:db8:0:0::/64']);
    });

    test.each([
      ['waiting', 4, false],
      ['a day', 6, true],
    ])('of many at once, no more than the limit %s are accepted: %i', async (_limit, most, isEnabled) => {
      if (isEnabled) {
        for (const host of [101, 102]) await decideOn((await register(`192.0.2.${host}`)).body, true);
      }
      const answers = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => register(`192.0.2.${index}`)),
      );
      const accepted = answers.filter(({ status }) => status === 201);
      expect(accepted).toHaveLength(isEnabled ? most - 2 : most);
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await listed('limit=100')).toHaveLength(most);
    });

    test('refusals are on record, and change nothing', async () => {
      for (let count = 0; count < 2; count += 1) await register('192.0.2.77');
      const { status, body } = await register('192.0.2.77');
      expect([status, body['error_description']]).toEqual([
        429,
        'No more than 2 clients a day can be registered from one address; try again tomorrow (UTC).',
      ]);
      expect(await listed('')).toHaveLength(2);
      await eventually(async () => {
        const refused = await recorded(registry(), 'kind=registration_refused&actor=anonymous');
        expect(refused.filter(({ actor }) => actor.address === '192.0.2.77')).toMatchObject([
          { actor: { source: 'none' }, details: { reason: 'per_address' } },
        ]);
      });
    });

    test('invalid metadata and tokens are refused as ever, and nothing else can be used without a token', async () => {
      expect((await register('192.0.2.1', {})).status).toBe(400);
      const wrong = { authorization: 'Bearer svcr_wrong' };
      expect((await register('192.0.2.1', WITH_SECRET, wrong)).status).toBe(401);
      expect((await register('192.0.2.1', WITH_SECRET, { authorization: 'Basic eDp5' })).status).toBe(401);
      for (const [method, path] of [
        ['GET', '/client'],
        ['POST', '/client'],
        ['GET', '/token/self'],
        ['GET', '/register/shop'],
      ] as const) {
        expect((await fetch(registry().url + path, { method })).status).toBe(401);
      }
    });

    test('pages of the configured origins may register Clients, and use nothing else', async () => {
      const allowed = async (path: string, origin: string) => {
        const { headers } = await fetch(registry().url + path, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        return headers.get('access-control-allow-origin');
      };
      expect(await allowed('/register', PAGE)).toBe(PAGE);
      expect(await allowed('/register/some-client', PAGE)).toBe(PAGE);
      expect(await allowed('/registered', PAGE)).toBeNull();
      expect(await allowed('/client', PAGE)).toBeNull();
      expect(await allowed('/register', 'https://other.example.com')).toBeNull();
      const { headers } = await register('192.0.2.1', WITH_SECRET, { origin: PAGE });
      expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    });

    test('an initial access token registers enabled Clients, up to its limits', async () => {
      const scopes = ['clients:register'];
      const create = async (limits: object) =>
        (await registry().ask('POST', '/token', { body: { name: 'developers', scopes, ...limits } })).body;
      const statuses = async (token: Members, count: number) =>
        Promise.all(
          Array.from({ length: count }, async () => {
            const sent = { body: WITH_SECRET };
            return (await ask(`${registry().url}/register`, 'POST', String(token['token']), sent)).status;
          }),
        );
      const three = await create({ max_registrations: 3 });
      expect((await statuses(three, 5)).sort()).toEqual([201, 201, 201, 403, 403]);
      const daily = await create({ registrations_per_day: 2 });
      expect((await statuses(daily, 3)).sort()).toEqual([201, 201, 429]);
      expect((await registry().ask('GET', `/token/${String(three['id'])}`)).body).toMatchObject({
        ...{ max_registrations: 3, registrations: 3 },
      });
      await registry().dataSource.query(`UPDATE api_token SET registration_day = '2026-01-01'`);
      expect(await statuses(daily, 1)).toEqual([201]);
      expect((await listed('enabled=true')).map(({ pending }) => pending)).toEqual(Array(6).fill(undefined));
      await eventuallyRecorded(registry(), `kind=registration_refused&actor=${String(three['id'])}`, [
        { details: { reason: 'quota' } },
      ]);
    });

    test('a Client that no administrator enables is deleted after a week, and that is on record', async () => {
      const [old, young] = await Promise.all(
        ['192.0.2.60', '192.0.2.61'].map(async (address) => (await register(address)).body['client_id']),
      );
      const deletions = registry().service.app.get(PendingDeletions, { strict: false });
      const age = async (interval: string) =>
        registry().dataSource.query(
          `UPDATE client SET created_at = now() - $2::interval WHERE client_id = $1`,
          [old, interval],
        );
      await age('6 days 23 hours');
      expect(await deletions.delete()).toBe(0);
      await age('7 days 1 hour');
      expect(await deletions.delete()).toBe(1);
      expect((await registry().ask('GET', pathOf(old))).status).toBe(404);
      expect((await listed('pending=true')).map(({ client_id: id }) => id)).toEqual([young]);
      expect(await recorded(registry(), `kind=pending_client_deleted&subject=${String(old)}`)).toMatchObject([
        { actor: { id: 'registry', source: 'registry' }, details: { client_name: expect.any(String) } },
      ]);
    });

    test('a Client that awaited approval when it was deleted does so again when it is restored', async () => {
      const { body: client } = await register('192.0.2.62');
      const id = String(client['client_id']);
      const deletions = registry().service.app.get(PendingDeletions, { strict: false });
      const { dataSource } = registry();
      await dataSource.query(
        `UPDATE client SET created_at = now() - interval '8 days' WHERE client_id = $1`,
        [id],
      );
      expect(await deletions.delete()).toBe(1);
      const path = `/deleted-clients/${id}`;
      const awaiting = { enabled: false, pending: true };
      expect((await registry().ask('GET', path)).body['client']).toMatchObject(awaiting);
      expect((await registry().ask('POST', `${path}/restore`)).body).toMatchObject(awaiting);
      expect((await registry().ask('GET', pathOf(id))).body).toMatchObject(awaiting);

      // It has the whole time again.
      expect(await deletions.delete()).toBe(0);
      await dataSource.query(
        `UPDATE client SET pending_since = now() - interval '8 days' WHERE client_id = $1`,
        [id],
      );
      expect(await deletions.delete()).toBe(1);
      await registry().ask('POST', `${path}/restore`);
      await decideOn(client, true);
      expect(await recorded(registry(), `kind=client_approved&subject=${id}`)).toHaveLength(1);
    });

    test.each([
      [{ scopes: ['clients:register', 'tokens:write'], max_registrations: 3 }],
      [{ scopes: ['clients:read'], registrations_per_day: 3 }],
    ])('limits of registrations must make sense: %j', async (body) => {
      const { status } = await registry().ask('POST', '/token', { body: { name: 'wrong', ...body } });
      expect(status).toBe(400);
    });
  },
  {
    ...{ REGISTRATION: 'open', TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic' },
    ...{ REGISTRATION_CORS_ORIGINS: PAGE, TRUSTED_PROXIES: '127.0.0.1' },
    ...{ REGISTRATION_OPEN_PER_ADDRESS: '2', REGISTRATION_OPEN_PER_DAY: '6', REGISTRATION_OPEN_PENDING: '4' },
  },
);
