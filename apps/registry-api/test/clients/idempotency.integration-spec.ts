import { randomUUID } from 'node:crypto';
import { IdempotencyKey } from '../../src/idempotency/idempotency-key.entity.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, ask, pathOf, registration, untilServed } from '../running-registry.js';

onPostgres((registry) => {
  const register = async (
    key: string,
    overrides: Record<string, unknown> = {},
    token = registry().token,
  ): Promise<Answer> =>
    ask(`${registry().url}/client`, 'POST', token, {
      body: registration(overrides),
      headers: { 'idempotency-key': key },
    });
  const keys = () => registry().dataSource.getRepository(IdempotencyKey);
  const age = async (key: string, hours: number) =>
    keys().update({ key }, { createdAt: new Date(Date.now() - hours * 3_600_000) });
  const clientsNamed = async (name: string): Promise<unknown[]> =>
    registry().dataSource.query(`SELECT client_id FROM client WHERE metadata->>'client_name' = $1`, [name]);

  test('the same key and body give the same Client, with its secret the first time only', async () => {
    const key = randomUUID();
    const first = await register(key);
    expect(first.status).toBe(201);
    expect(first.body['client_secret']).toMatch(/^[\w-]{43}$/);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const { client_secret: _, ...client } = first.body;
    const second = await register(key);
    expect(second.status).toBe(201);
    expect(second.body).toEqual(client);
    for (const name of ['etag', 'location']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('the response is the Client in its current state', async () => {
    const key = randomUUID();
    const { body } = await register(key);
    const patched = await registry().ask('PATCH', pathOf(body['client_id']), {
      body: { client_name: 'Renamed' },
    });
    const again = await register(key);
    expect(again.body).toEqual(patched.body);
    expect(again.headers.get('etag')).toBe(patched.headers.get('etag'));
  });

  test('members in another order are the same body', async () => {
    const key = randomUUID();
    const first = await register(key, { client_uri: 'https://shop.example/' });
    const reversed = Object.fromEntries(
      Object.entries(registration({ client_uri: 'https://shop.example/' })).reverse(),
    );
    const second = await registry().ask('POST', '/client', {
      body: reversed,
      headers: { 'idempotency-key': key },
    });
    expect(second.body['client_id']).toBe(first.body['client_id']);
  });

  test('another body gets 409 and registers nothing', async () => {
    const key = randomUUID();
    await register(key);
    const name = `Other ${key}`;
    const { status, body } = await register(key, { client_name: name });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      error: 'conflict',
      detail:
        'This Idempotency-Key was already used for a different request; use a new key for each request.',
    });
    expect(await clientsNamed(name)).toEqual([]);
  });

  test('once the Client is deleted the key gets 409, naming it', async () => {
    const key = randomUUID();
    const { body } = await register(key);
    await registry().ask('DELETE', pathOf(body['client_id']));
    const again = await register(key);
    expect(again.status).toBe(409);
    expect(again.body['detail']).toBe(
      `This Idempotency-Key was used for the client '${String(body['client_id'])}', which has since been deleted.`,
    );
  });

  describe('when another client was registered with the id of the deleted one', () => {
    const replace = async (clientId: string) => {
      await registry().ask('DELETE', pathOf(clientId));
      const others = registration({ preferred_client_id: clientId, client_name: 'Of others' });
      expect((await registry().ask('POST', '/client', { body: others })).status).toBe(201);
    };

    test('the key of its registration gets 409', async () => {
      const [key, clientId] = [randomUUID(), randomUUID()];
      await register(key, { preferred_client_id: clientId });
      await replace(clientId);
      const again = await register(key, { preferred_client_id: clientId });
      expect(again.status).toBe(409);
      expect(again.body).not.toHaveProperty('client_id');
    });

    test('the key of a rotation of its secret gets 409', async () => {
      const [key, clientId] = [randomUUID(), randomUUID()];
      await register(randomUUID(), { preferred_client_id: clientId });
      const rotate = async () =>
        registry().ask('POST', `${pathOf(clientId)}/reset_secret`, { headers: { 'idempotency-key': key } });
      expect((await rotate()).status).toBe(200);
      await replace(clientId);
      expect((await rotate()).status).toBe(409);
    });
  });

  test('a Client that was deleted and restored is the same for its key', async () => {
    const key = randomUUID();
    const { body } = await register(key);
    await registry().ask('DELETE', pathOf(body['client_id']));
    await registry().ask('POST', `/deleted-clients/${String(body['client_id'])}/restore`);
    expect((await register(key)).body).toMatchObject({ client_id: body['client_id'], enabled: false });
  });

  test('a key whose outcome an earlier version stored still gives its Client', async () => {
    const key = randomUUID();
    const { body } = await register(key);
    await keys().update({ key }, { outcome: () => 'NULL' });
    expect((await register(key)).body['client_id']).toBe(body['client_id']);
  });

  test('concurrent requests with the same key register one Client, with one secret', async () => {
    const key = randomUUID();
    const name = `At once ${key}`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => untilServed(async () => register(key, { client_name: name }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body['client_id'])).size).toBe(1);
    expect(answers.filter(({ body }) => 'client_secret' in body)).toHaveLength(1);
    expect(await clientsNamed(name)).toHaveLength(1);
  });

  test('the same key of another token is another key', async () => {
    const key = randomUUID();
    const made = await registry().ask('POST', '/token', {
      body: { name: 'writer', scopes: ['clients:write'] },
    });
    const first = await register(key);
    const second = await register(key, {}, String(made.body['token']));
    expect(second.body['client_id']).not.toBe(first.body['client_id']);
    expect(second.body).toHaveProperty('client_secret');
  });

  test('without a key each request registers a Client', async () => {
    const answers = await Promise.all(
      [1, 2].map(() => registry().ask('POST', '/client', { body: registration() })),
    );
    expect(new Set(answers.map(({ body }) => body['client_id'])).size).toBe(2);
  });

  test('a rejected request does not use up the key', async () => {
    const key = randomUUID();
    expect((await register(key, { redirect_uris: [] })).status).toBe(400);
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: `taken ${key}` }) });
    const taken = await register(key, { preferred_client_id: `taken ${key}` });
    expect(taken.status).toBe(409);
    expect(taken.body['errors']).toEqual([
      {
        field: '/preferred_client_id',
        code: 'taken',
        message: `a client 'taken ${key}' is already registered`,
      },
    ]);
    expect((await register(key)).status).toBe(201);
  });

  test('a key is forgotten after 24 hours, not before', async () => {
    const key = randomUUID();
    const first = await register(key);
    await age(key, 23.99);
    expect((await register(key)).body['client_id']).toBe(first.body['client_id']);
    await age(key, 24.01);
    const later = await register(key, { client_name: 'Other' });
    expect(later.status).toBe(201);
    expect(later.body['client_id']).not.toBe(first.body['client_id']);
    expect((await register(key, { client_name: 'Other' })).body['client_id']).toBe(later.body['client_id']);
  });

  test('new keys remove expired ones', async () => {
    const old = Array.from({ length: 3 }, () => randomUUID());
    for (const key of old) await register(key);
    for (const key of old) await age(key, 25);
    await register(randomUUID());
    const left = await keys().find({ select: { key: true } });
    expect(left.map(({ key }) => key)).not.toEqual(expect.arrayContaining(old.slice(0, 1)));
    expect(left.length).toBeGreaterThan(0);
  });

  test.each([
    ['nothing', ''],
    ['a space within', 'a b'],
    ['more than 255 characters', 'k'.repeat(256)],
    ['other characters', 'ключ'],
  ])('a key of %s is refused', async (_case, key) => {
    const header = Buffer.from(key).toString('latin1');
    const { status, body } = await register(header);
    expect(status).toBe(400);
    expect(body['detail']).toBe('The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  });

  test('a key of 255 characters is accepted', async () => {
    expect((await register('k'.repeat(255))).status).toBe(201);
  });

  test('no secret is kept beside the key', async () => {
    const key = randomUUID();
    const { body } = await register(key);
    const rows = await registry().dataSource.query('SELECT t::text AS row FROM idempotency_key t');
    expect(JSON.stringify(rows)).toContain(key);
    expect(JSON.stringify(rows)).not.toContain(String(body['client_secret']));
  });
});
