import { ClientSecret } from '../../src/clients/client-secret.entity.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, pathOf, registration, type Sent } from '../running-registry.js';

onPostgres((registry) => {
  const register = async (): Promise<Answer> => registry().ask('POST', '/client', { body: registration() });
  const post = async (clientId: unknown, action: string, sent?: Sent): Promise<Answer> =>
    registry().ask('POST', `${pathOf(clientId)}/${action}`, sent);
  const reset = async (clientId: unknown, sent?: Sent): Promise<Answer> =>
    post(clientId, 'reset_secret', sent);
  const etagOf = (answer: Answer) => answer.headers.get('etag') ?? '';
  /** Of the change that led to this state. */
  const numberOf = (etag: string) => Number(/\d+/.exec(etag)?.[0]);
  const isSecretOf = async (clientId: unknown, client_secret: unknown) =>
    (await post(clientId, 'check/secret', { body: { client_secret } })).body;
  const historyOf = async (clientId: unknown): Promise<Record<string, unknown>[]> =>
    registry().dataSource.query(
      'SELECT kind, before, after FROM client_change WHERE client_id = $1 ORDER BY seq',
      [clientId],
    );

  test('returns a new secret; the former one is revoked at once', async () => {
    const registered = await register();
    const { client_secret: former, ...before } = registered.body;
    const id = before['client_id'];
    const answer = await reset(id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { client_secret: secret, ...after } = answer.body;
    expect(secret).toMatch(/^[\w-]{43}$/);
    const hint = String(secret).slice(-4);
    const changed = answer.body['updated_at'];
    expect(after).toEqual({
      ...before,
      client_secret_hint: hint,
      client_secrets: [{ hint, created_at: changed }],
      updated_at: changed,
    });
    const read = await registry().ask('GET', pathOf(id));
    expect([read.body, etagOf(read)]).toEqual([after, etagOf(answer)]);
    expect(await isSecretOf(id, former)).toEqual({ valid: false });
    expect(await isSecretOf(id, secret)).toEqual({ valid: true, client_secret_expires_at: 0 });
    expect(await historyOf(id)).toMatchObject([
      { kind: 'registered' },
      { kind: 'secret_rotated', before: null, after: null },
    ]);
  });

  test('with an overlap the former one stays valid until it is over', async () => {
    const { body } = await register();
    const { client_id: id, client_secret: former } = body;
    const start = Date.now();
    const answer = await reset(id, { body: { overlap: '24 h' } });
    const secrets = answer.body['client_secrets'] as Record<string, string>[];
    expect(secrets).toEqual([
      { hint: answer.body['client_secret_hint'], created_at: answer.body['updated_at'] },
      { hint: String(former).slice(-4), created_at: body['created_at'], expires_at: expect.any(String) },
    ]);
    const until = Date.parse(secrets[1]?.['expires_at'] ?? '');
    expect(until).toBeGreaterThanOrEqual(start + 24 * 3_600_000);
    expect(until).toBeLessThan(Date.now() + 24 * 3_600_000);
    expect((await registry().ask('GET', pathOf(id))).body['client_secrets']).toEqual(secrets);
    expect(await isSecretOf(id, former)).toEqual({
      valid: true,
      client_secret_expires_at: Math.floor(until / 1000),
    });
    expect(await isSecretOf(id, answer.body['client_secret'])).toEqual({
      valid: true,
      client_secret_expires_at: 0,
    });
    const rows = registry().dataSource.getRepository(ClientSecret);
    const hint = String(former).slice(-4);
    await rows.update({ clientId: String(id), hint }, { expiresAt: new Date(Date.now() - 1) });
    expect(await isSecretOf(id, former)).toEqual({ valid: false });
  });

  test('of three secrets at most the last two are valid, and no more are kept', async () => {
    const { body } = await register();
    const id = body['client_id'];
    const second = await reset(id, { body: { overlap: 3600 } });
    const third = await reset(id, { body: { overlap: 60 } });
    const values = [body, second.body, third.body].map((each) => each['client_secret']);
    const valid = await Promise.all(values.map(async (value) => (await isSecretOf(id, value))['valid']));
    expect(valid).toEqual([false, true, true]);
    const rows = registry().dataSource.getRepository(ClientSecret);
    expect(await rows.countBy({ clientId: String(id) })).toBe(2);
    const last = await reset(id, { body: {} });
    expect(await rows.countBy({ clientId: String(id) })).toBe(1);
    expect((await isSecretOf(id, third.body['client_secret']))['valid']).toBe(false);
    expect((await isSecretOf(id, last.body['client_secret']))['valid']).toBe(true);
  });

  test.each(['expires_at', 'foreign_until'])(
    'while the newest is over (%s), an overlap keeps the former one, which is still valid',
    async (column) => {
      const { client_id: id, client_secret: former } = (await register()).body;
      const second = await reset(id, { body: { overlap: '7 d' } });
      const hint = second.body['client_secret_hint'];
      await registry().dataSource.query(
        `UPDATE client_secret SET ${column} = created_at WHERE client_id = $1 AND hint = $2`,
        [id, hint],
      );
      const third = await reset(id, { body: { overlap: '30 d' } });
      expect(third.body['client_secrets']).toMatchObject([
        { hint: third.body['client_secret_hint'] },
        (second.body['client_secrets'] as unknown[])[1],
      ]);
      const read = await registry().ask('GET', pathOf(id));
      expect(read.body['client_secrets']).toEqual(third.body['client_secrets']);
      for (const secret of [former, third.body['client_secret']])
        expect(await isSecretOf(id, secret)).toMatchObject({ valid: true });
    },
  );

  test('does not touch the secrets of others', async () => {
    const one = await register();
    const other = await register();
    await reset(one.body['client_id'], { body: { overlap: 60 } });
    await reset(one.body['client_id']);
    const { client_id: id, client_secret: secret } = other.body;
    expect((await isSecretOf(id, secret))['valid']).toBe(true);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['null', { overlap: null }],
    ['0', { overlap: 0 }],
  ])('an overlap of %s is none', async (_case, body) => {
    const { client_id: id, client_secret: former } = (await register()).body;
    expect((await reset(id, { body })).status).toBe(200);
    expect((await isSecretOf(id, former))['valid']).toBe(false);
  });

  test.each<[unknown]>([
    [-1],
    [0.5],
    ['0'],
    ['soon'],
    [true],
    [[60]],
    [{ hours: 1 }],
    ['366 d'],
    [365 * 24 * 3600 + 1],
    ['1e3'],
  ])('an overlap of %p is refused and changes nothing', async (overlap) => {
    const { client_id: id, client_secret: former } = (await register()).body;
    const { status, body } = await reset(id, { body: { overlap } });
    expect(status).toBe(400);
    const message = 'overlap must be 0, a number of seconds, or a number and a unit such as 24h, up to 1y';
    expect(body['errors']).toEqual([{ field: '/overlap', code: 'format', message }]);
    expect((await isSecretOf(id, former))['valid']).toBe(true);
  });

  test('the longest overlap is a year', async () => {
    const { client_id: id } = (await register()).body;
    expect((await reset(id, { body: { overlap: '1 y' } })).status).toBe(200);
  });

  test('an unknown member of the body is rejected', async () => {
    const { client_id: id } = (await register()).body;
    expect((await reset(id, { body: { overlapp: 1 } })).status).toBe(400);
  });

  test('404 without a Client, 412 for an old ETag', async () => {
    expect((await reset('nobody')).status).toBe(404);
    const { client_id: id, client_secret: former } = (await register()).body;
    const stale = await reset(id, { headers: { 'if-match': '"0"' } });
    expect(stale.status).toBe(412);
    expect(stale.body).not.toHaveProperty('client_secret');
    expect((await isSecretOf(id, former))['valid']).toBe(true);
  });

  test('concurrent requests each return a secret, the last two of which are valid', async () => {
    const { client_id: id } = (await register()).body;
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(id, { body: { overlap: 60 } })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const inOrder = answers.sort((a, b) => numberOf(etagOf(a)) - numberOf(etagOf(b)));
    const valid = await Promise.all(
      inOrder.map(async ({ body }) => (await isSecretOf(id, body['client_secret']))['valid']),
    );
    expect(valid).toEqual([false, false, false, false, true, true]);
  });

  test('the secret is neither in the database nor in the log', async () => {
    const { client_id: id } = (await register()).body;
    const secret = String((await reset(id)).body['client_secret']);
    const dumps: unknown[] = [];
    for (const { tableName } of registry().dataSource.entityMetadatas) {
      dumps.push(await registry().dataSource.query(`SELECT t::text AS row FROM ${tableName} t`));
    }
    const everything = JSON.stringify(dumps) + registry().logged();
    expect(everything).toContain(String(id));
    expect(everything).not.toContain(secret);
  });
});
