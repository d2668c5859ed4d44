import type { RecommendationDocument } from '../../src/recommendations/recommendations.dto.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, ask, registration } from '../running-registry.js';

const CALLBACK = 'https://shop.example/cb';
const OLD = 'https://old.shop.example/cb';
const DAY_MS = 24 * 3_600_000;

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

onPostgres((registry) => {
  let clients: Record<'shop' | 'loose' | 'unused' | 'young', string>;
  const list = async (query = '', token = registry().token): Promise<Answer> =>
    ask(`${registry().url}/clients/recommendations${query}`, 'GET', token);
  const recommended = async (query = '', token = registry().token) =>
    (await list(query, token)).body['recommendations'] as RecommendationDocument[];
  const kindsOf = (found: readonly RecommendationDocument[]) =>
    found.map(({ client_id: id, kind }) => `${id} ${kind}`);
  const register = async (id: string, overrides: object = {}) => {
    const body = registration({ preferred_client_id: id, redirect_uris: [CALLBACK], ...overrides });
    await registry().ask('POST', '/client', { body });
    return id;
  };
  const tokenFor = async (selector: object) => {
    const body = { name: 'narrow', scopes: ['clients:read'], selector };
    return String((await registry().ask('POST', '/token', { body })).body['token']);
  };
  /** Requests two days ago. */
  const use = async (clientId: string, use: object, count = 1) =>
    registry().dataSource.query(
      `INSERT INTO client_usage (client_id, period, key, use, count, first_at, last_at)
       VALUES ($1, $2::text, sha256(convert_to($3::text::jsonb::text, 'UTF8')), $3::text::jsonb, $4, $2::text::timestamptz, $2::text::timestamptz)`,
      [clientId, dayBefore(2), JSON.stringify({ kind: 'request', response_type: 'code', ...use }), count],
    );

  beforeAll(async () => {
    const labels = { team: 'ours' };
    const loose = { redirect_uri_validation_method: 'prefix_match', code_challenge_method: 'S256' };
    clients = {
      shop: await register('shop', { redirect_uris: [CALLBACK, OLD], code_challenge_method: 'S256', labels }),
      loose: await register('loose shop', { ...loose, labels: { team: 'theirs' } }),
      unused: await register('unused', { labels }),
      young: await register('young'),
    };
    const { dataSource } = registry();
    await dataSource.query(
      `UPDATE client SET created_at = now() - interval '100 days', updated_at = now() - interval '100 days'
       WHERE client_id <> 'young'`,
    );
    await dataSource.query(
      `UPDATE client_change SET at = now() - interval '100 days' WHERE client_id <> 'young'`,
    );
    await dataSource.query(
      `UPDATE usage_recording SET since = now() - interval '100 days', recorded_to = now()`,
    );
    await use(clients.shop, { redirect_uri: CALLBACK, match: 'exact', pkce: 'S256' }, 5);
    await use(clients.loose, { redirect_uri: CALLBACK, match: 'exact', pkce: 'S256' }, 7);
    await use(clients.loose, { refusal: 'no_match', origin: 'https://evil.example', pkce: 'none' });
  });

  test('recommends what usage proves, with its evidence and the request that does it', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const found = body['recommendations'] as RecommendationDocument[];
    expect(kindsOf(found)).toEqual([
      'loose shop use_full_match',
      'shop remove_redirect_uris',
      'unused disable',
    ]);
    expect(body).toMatchObject({ unproven: 0, incomplete_days: [] });
    expect(found[0]).toEqual({
      client_id: 'loose shop',
      client_name: expect.any(String),
      kind: 'use_full_match',
      reason: `all 7 requests have used a registered URI exactly since ${dayBefore(30)}`,
      etag: expect.any(String),
      request: {
        method: 'PATCH',
        path: '/client/loose%20shop',
        body: { redirect_uri_validation_method: 'full_match' },
        replaces: { redirect_uri_validation_method: 'prefix_match' },
      },
      evidence: {
        ...{ from: dayBefore(30), to: dayBefore(1), requests: 7, secret_checks: 0, refused: 1 },
        last_used_at: `${dayBefore(2)}T00:00:00.000Z`,
        seen: [{ value: CALLBACK, count: 7, last_at: `${dayBefore(2)}T00:00:00.000Z` }],
        unused: [],
      },
      replay: { requests: 7, refused: 0 },
    });
    expect(found[1]).toMatchObject({
      request: { body: { redirect_uris: [CALLBACK] } },
      evidence: { unused: [OLD] },
    });
    expect(found[2]).toMatchObject({ request: { method: 'POST', path: '/client/unused/disable' } });
  });

  test('filters by Client and by kind, and pages by Client', async () => {
    expect(kindsOf(await recommended('?kind=disable&kind=use_full_match'))).toEqual([
      'loose shop use_full_match',
      'unused disable',
    ]);
    expect(kindsOf(await recommended('?label=team:ours&q=unused'))).toEqual(['unused disable']);
    expect(await recommended('?enabled=false')).toEqual([]);
    const first = await list('?limit=1');
    expect(kindsOf(first.body['recommendations'] as RecommendationDocument[])).toHaveLength(1);
    const next = `cursor=${String(first.body['next'])}`;
    const rest = await recommended(`?limit=1&${next}`);
    expect(kindsOf(rest)).toEqual(['shop remove_redirect_uris']);
    expect((await list(`?limit=1&days=60&${next}`)).status).toBe(400);
    expect((await list('?days=6')).status).toBe(400);
    expect((await list('?kind=delete')).status).toBe(400);
    expect((await list('?q=https://')).status).toBe(400);
  });

  test('a narrow token learns only of the Clients that it reaches', async () => {
    const token = await tokenFor({ team: 'ours' });
    const { body } = await list('', token);
    expect(kindsOf(body['recommendations'] as RecommendationDocument[])).toEqual([
      'shop remove_redirect_uris',
      'unused disable',
    ]);
    expect(body['examined']).toBe(2);
  });

  test('streams all of them as NDJSON', async () => {
    const headers = { authorization: `Bearer ${registry().token}`, accept: 'application/x-ndjson' };
    const response = await fetch(`${registry().url}/clients/recommendations?limit=1`, { headers });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await recommended());
  });

  test('nothing is recommended where a day is incomplete, and the answer names it', async () => {
    const { dataSource } = registry();
    const day = dayBefore(3);
    await dataSource.query('INSERT INTO usage_gap (day, scope) VALUES ($1, $2)', [
      day,
      JSON.stringify({ labels: { team: ['ours'] } }),
    ]);
    const { body } = await list();
    expect(kindsOf(body['recommendations'] as RecommendationDocument[])).toEqual([
      'loose shop use_full_match',
    ]);
    expect(body).toMatchObject({ unproven: 2, incomplete_days: [day] });
    await dataSource.query('DELETE FROM usage_gap');
  });

  test('the request carries it out, once, and what it changed is then left alone', async () => {
    const [loose] = await recommended('?q=loose');
    const { method, path, body } = loose!.request;
    const headers = { 'if-match': loose!.etag };
    expect((await registry().ask(method, path, { body, headers })).body).toMatchObject(body!);
    expect((await registry().ask(method, path, { body, headers })).status).toBe(412);
    expect(await recommended('?q=loose')).toEqual([]);
    await registry().ask('PATCH', path, { body: { redirect_uri_validation_method: 'prefix_match' } });
    expect(await recommended('?q=loose')).toEqual([]);
  });

  test('a Client that was restored within these days proves nothing: its counts ended with it', async () => {
    await register('restored', { redirect_uri_validation_method: 'prefix_match' });
    const { dataSource } = registry();
    const past = `now() - interval '100 days' WHERE client_id = 'restored'`;
    await dataSource.query(`UPDATE client SET created_at = ${past}`);
    await dataSource.query(`UPDATE client_change SET at = ${past}`);
    await use('restored', { redirect_uri: CALLBACK, match: 'exact', pkce: 'S256' });
    expect(kindsOf(await recommended('?q=restored'))).toContain('restored use_full_match');
    await registry().ask('DELETE', '/client/restored');
    await registry().ask('POST', '/deleted-clients/restored/restore');
    await registry().ask('POST', '/client/restored/enable');
    await use('restored', { redirect_uri: CALLBACK, match: 'exact', pkce: 'S256' });
    expect((await list('?q=restored')).body).toMatchObject({ recommendations: [], examined: 1, unproven: 1 });
  });

  test('the request that retires secrets leaves none that is valid for long', async () => {
    const { status, body } = await registry().ask('POST', '/client/young/reset_secret', {
      body: { expires_in: 1 },
    });
    expect(status).toBe(200);
    expect(body['client_secret_expires_at']).toBeLessThan(Date.now() / 1000 + 2);
    expect(body['client_secrets']).toHaveLength(1);
  });
});
