import { onPostgres } from '../on-both-databases.js';
import { ask, pathOf, registration } from '../running-registry.js';
import { flushUsage } from '../usage/recorded.js';

const CB = 'https://shop.example/cb';
const REQUEST = { response_type: 'code', redirect_uri: CB };

/** A pasted address, with values that no check needs. */
const urlOf = (clientId: unknown, parameters: Readonly<Record<string, string>> = REQUEST) =>
  `https://login.example/authorize?${new URLSearchParams({
    ...{ client_id: String(clientId), state: 'private-state', login_hint: 'private@example.com' },
    ...parameters,
  }).toString()}`;

onPostgres((registry) => {
  const register = async (overrides: object = {}) => {
    const body = registration({ code_challenge_method: 'none', ...overrides });
    return (await registry().ask('POST', '/client', { body })).body['client_id'];
  };
  const explain = async (url: string) => registry().ask('POST', '/clients/explain', { body: { url } });
  const check = async (clientId: unknown) => {
    const path = `${pathOf(clientId)}/check/authorization_request`;
    expect((await registry().ask('POST', path, { body: REQUEST })).body['valid']).toBe(true);
    await flushUsage(registry());
  };
  const change = async (method: string, path: string, body?: object) => {
    const { status } = await registry().ask(method, path, body && { body });
    expect(status).toBeLessThan(300);
  };

  test('a refused request: the rule, the nearest URI, when it last worked, and the change that broke it', async () => {
    const id = await register();
    await check(id);
    await change('PATCH', pathOf(id), { redirect_uris: [`${CB}/`, 'https://shop.example/other'] });
    await change('PATCH', pathOf(id), { client_name: 'Renamed' });
    await change('PATCH', pathOf(id), { redirect_uris: [`${CB}/`] });
    const { body, headers } = await explain(urlOf(id));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      client_id: id,
      client_name: 'Renamed',
      valid: false,
      errors: [{ rule: 'no_match', must_not_redirect: true }],
      redirect_uri: CB,
      nearest: {
        redirect_uri: `${CB}/`,
        difference: 'a slash at the end',
        common_start: CB.length,
        common_end: 0,
      },
      history: 'changed',
      broken_by: {
        kind: 'updated',
        actor: { name: 'bootstrap', address: '127.0.0.1' },
        changed: [{ field: 'redirect_uris', before: [CB], after: [`${CB}/`, 'https://shop.example/other'] }],
      },
    });
    const worked = Date.parse(String(body['last_worked_at']));
    expect(Math.abs(Date.now() - worked)).toBeLessThan(600_000);
  });

  test('an accepted request is not counted as use, and nothing private of it is logged or sent back', async () => {
    const id = await register();
    const { body } = await explain(`${urlOf(id)}#private-fragment`);
    expect(body).toMatchObject({ valid: true, errors: [], notes: [{ code: 'fragment' }] });
    expect(body).not.toHaveProperty('history');
    expect(body).not.toHaveProperty('last_worked_at');
    await flushUsage(registry());
    const usage = await registry().ask('GET', `${pathOf(id)}/usage`);
    expect(usage.body).toMatchObject({ periods: [] });
    const stored = await registry().dataSource.query<unknown[]>(
      `SELECT 1 FROM security_event e WHERE e::text LIKE '%private%'`,
    );
    expect(JSON.stringify(body) + registry().logged()).not.toContain('private');
    expect(stored).toEqual([]);
  });

  test('disabling, deleting and tightening are found as well, and what never worked', async () => {
    const [disabled, deleted, tightened] = [await register(), await register(), await register()];
    await change('POST', `${pathOf(disabled)}/disable`);
    await change('DELETE', pathOf(deleted));
    await change('PATCH', pathOf(tightened), { code_challenge_method: 'S256' });
    expect((await explain(urlOf(disabled))).body).toMatchObject({
      errors: [{ rule: 'client_disabled' }],
      broken_by: { kind: 'disabled' },
    });
    const gone = (await explain(urlOf(deleted))).body;
    expect(gone).toMatchObject({ errors: [{ rule: 'client_deleted' }], broken_by: { kind: 'deleted' } });
    expect(gone).not.toHaveProperty('client_name');
    expect((await explain(urlOf(tightened))).body).toMatchObject({
      errors: [{ rule: 'pkce_missing' }],
      broken_by: { changed: [{ field: 'code_challenge_method', before: 'none', after: 'S256' }] },
    });
    const never = (await explain(urlOf(tightened, { ...REQUEST, redirect_uri: 'https://x.example/' }))).body;
    expect(never).toMatchObject({ history: 'never_valid' });
    expect(never).not.toHaveProperty('broken_by');
  });

  test('a long history is not searched to its end', async () => {
    const id = await register();
    await change('PATCH', pathOf(id), { redirect_uris: ['https://other.example/'] });
    await change('PATCH', pathOf(id), { client_name: 'Renamed' });
    const repeat = async (times: number) =>
      registry().dataSource.query(
        `INSERT INTO client_change (seq, mark, client_id, kind, at, actor_id, actor_name, address, before, after, labels)
         SELECT next_change_seq(), mark, client_id, kind, at, actor_id, actor_name, address, before, after, labels
         FROM (SELECT * FROM client_change WHERE client_id = $1 ORDER BY seq DESC LIMIT 1) last, generate_series(1, $2)`,
        [id, times],
      );
    await repeat(9_998);
    expect((await explain(urlOf(id))).body).toMatchObject({ history: 'changed' });
    await repeat(1);
    expect((await explain(urlOf(id))).body).toMatchObject({ history: 'unknown' });
  });

  test('a redirect URI that ended is the reason from that instant on', async () => {
    const id = await register();
    const preview = 'https://preview.example/cb';
    await change('POST', `${pathOf(id)}/redirect_uris`, { redirect_uri: preview, expires_in: '1 m' });
    const past = '2026-01-01T00:00:00.000Z';
    await registry().dataSource.query(
      `UPDATE client SET temporary_uris = jsonb_set(temporary_uris, '{0,expires_at}', to_jsonb($2::text))
       WHERE client_id = $1`,
      [id, past],
    );
    const { body } = await explain(urlOf(id, { ...REQUEST, redirect_uri: preview }));
    // Unless the registry has removed it meanwhile.
    const expected =
      body['history'] === 'changed'
        ? { broken_by: { actor: { id: 'registry' } } }
        : { history: 'expired', expired_at: past };
    expect(body).toMatchObject({ valid: false, ...expected });
  });

  test('for a token, the Clients of others do not exist, nor what they were before they came and after they went', async () => {
    const label = (team: string) => ({ labels: { team } });
    const [own, foreign, came, went] = [
      await register(label('a')),
      await register(label('b')),
      await register(label('b')),
      await register(label('a')),
    ];
    await change('PATCH', pathOf(came), label('a'));
    await change('PATCH', pathOf(came), { redirect_uris: ['https://other.example/'] });
    await change('PATCH', pathOf(went), label('b'));
    await change('DELETE', pathOf(foreign));
    const scopes = ['clients:read'];
    const made = await registry().ask('POST', '/token', {
      body: { name: 'support of a', scopes, selector: { team: 'a' } },
    });
    const as = async (clientId: unknown) =>
      ask(`${registry().url}/clients/explain`, 'POST', String(made.body['token']), {
        body: { url: urlOf(clientId) },
      });
    expect((await as(own)).body).toMatchObject({ valid: true });
    expect((await as(came)).body).toMatchObject({ history: 'changed', broken_by: { kind: 'updated' } });
    const unknown = (await as('nobody')).body;
    for (const each of [foreign, went]) {
      const { status, body } = await as(each);
      expect([status, body['title']]).toEqual([404, unknown['title']]);
    }
  });

  test('of a deleted Client whose id another team has registered anew, a token sees no use', async () => {
    const [id, label] = [await register({ labels: { team: 'a' } }), { team: 'b' }];
    await change('DELETE', pathOf(id));
    await register({ preferred_client_id: id, labels: label });
    await check(id);
    await flushUsage(registry());
    expect((await explain(urlOf(id))).body).toMatchObject({ last_worked_at: expect.any(String) });
    const body = { name: 'support of a', scopes: ['clients:read'], selector: { team: 'a' } };
    const token = String((await registry().ask('POST', '/token', { body })).body['token']);
    const asTeam = await ask(`${registry().url}/clients/explain`, 'POST', token, {
      body: { url: urlOf(id) },
    });
    expect(asTeam.body).toMatchObject({ broken_by: { kind: 'deleted' } });
    expect(asTeam.body).not.toHaveProperty('last_worked_at');
    expect(asTeam.body).not.toHaveProperty('recorded_since');
  });

  test.each([
    ['not a URL', 'not_a_url'],
    ['https://login.example/authorize', 'no_parameters'],
    ['?client_id=shop&request_uri=urn%3Aprivate', 'request_uri'],
  ])('%s is answered with what to do, and without a part of it', async (url, code) => {
    const { status, body } = await explain(url);
    expect([status, body['errors']]).toMatchObject([400, [{ field: '/url', code }]]);
    expect(JSON.stringify(body)).not.toContain('private');
  });
});
