import { eventually } from '@svc/test-servers';
import { TokenExpiries } from '../../src/tokens/token-expiries.js';
import { onPostgres } from '../on-both-databases.js';
import { ask, untilServed } from '../running-registry.js';
import { eventuallyRecorded, recorded, verified } from './recorded-events.js';

onPostgres((registry) => {
  const create = async (body: object, token = registry().token) =>
    (await ask(`${registry().url}/token`, 'POST', token, { body })).body;
  const bootstrap = { name: 'bootstrap', source: 'token', address: '127.0.0.1' };

  test('the bootstrap token is on record as made by the registry', async () => {
    const made = await recorded(registry(), 'kind=token_created');
    expect(made.at(-1)).toMatchObject({
      actor: { id: 'registry', source: 'registry' },
      details: { name: 'bootstrap', scopes: expect.arrayContaining(['audit:read', 'tokens:write']) },
    });
  });

  test('a token is on record from its creation to its revocation', async () => {
    const { id, token } = await create({
      ...{ name: 'shop', scopes: ['clients:read'], expires_in: '1 h' },
      ...{ selector: { team: 'shop' }, networks: ['127.0.0.0/8'] },
    });
    for (let use = 0; use < 3; use += 1) await ask(`${registry().url}/client`, 'GET', String(token));
    await eventuallyRecorded(registry(), `actor=${String(id)}`, [
      {
        kind: 'token_first_used',
        subject: id,
        actor: { name: 'shop', source: 'token', address: '127.0.0.1' },
      },
    ]);
    await registry().ask('DELETE', `/token/${String(id)}`);
    const events = await recorded(registry(), `subject=${String(id)}`);
    expect(events.map(({ kind }) => kind)).toEqual(['token_revoked', 'token_first_used', 'token_created']);
    expect(events[0]).toMatchObject({ actor: bootstrap, details: { name: 'shop' } });
    expect(events[2]).toMatchObject({
      actor: bootstrap,
      details: {
        ...{ name: 'shop', scopes: ['clients:read'], selector: { team: 'shop' } },
        ...{ networks: ['127.0.0.0/8'], expires_at: expect.any(String) },
      },
    });
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test('tokens revoked with another are on record, each once', async () => {
    const { id, token } = await create({ name: 'parent', scopes: ['tokens:write'] });
    const child = await create({ name: 'child', scopes: ['tokens:write'] }, String(token));
    await registry().ask('DELETE', `/token/${String(id)}?descendants=revoke`);
    await registry().ask('DELETE', `/token/${String(id)}?descendants=revoke`);
    for (const subject of [id, child['id']]) {
      expect(await recorded(registry(), `kind=token_revoked&subject=${String(subject)}`)).toHaveLength(1);
    }
  });

  test('an expiry is on record once, with its reason', async () => {
    const timed = await create({ name: 'timed', scopes: ['clients:read'], expires_in: 1 });
    const counted = await create({ name: 'counted', scopes: ['clients:read'], max_uses: 1 });
    await untilServed(async () => ask(`${registry().url}/client`, 'GET', String(counted['token'])));
    const expiries = registry().service.app.get(TokenExpiries, { strict: false });
    const later = new Date(Date.now() + 5_000);
    // Unless the registry does so just before, or at the same time.
    await expiries.record(later);
    expect(await expiries.record(later)).toBe(0);
    for (const [{ id }, reason] of [
      [timed, 'expires_at'],
      [counted, 'max_uses'],
    ] as const) {
      await eventuallyRecorded(registry(), `kind=token_expired&subject=${String(id)}`, [
        { actor: { source: 'registry' }, details: { reason } },
      ]);
    }
  });

  test('a refused creation is on record with what it asked for', async () => {
    const { id, token } = await create({ name: 'office', scopes: ['tokens:write'], selector: { team: 'a' } });
    await create({ name: 'more', scopes: ['clients:write'] }, String(token));
    await create({ name: 'wide', scopes: ['tokens:write'], selector: { team: 'b' } }, String(token));
    await eventuallyRecorded(registry(), `kind=token_refused&actor=${String(id)}`, [
      { details: { reason: 'restriction_not_held', selector: { team: 'b' } } },
      { details: { reason: 'scope_not_held', scopes: ['clients:write'] } },
    ]);
  });

  test('a token that reaches only some Clients cannot read the record', async () => {
    const refused = await create({ name: 'x', scopes: ['audit:read'], selector: { team: 'a' } });
    expect(refused).toMatchObject({ status: 400, detail: expect.stringContaining('audit:read') });
    const { id, token } = await create({ name: 'auditor', scopes: ['audit:read'] });
    const read = async () => (await ask(`${registry().url}/audit`, 'GET', String(token))).status;
    expect(await read()).toBe(200);
    await registry().dataSource.query(
      `UPDATE api_token SET selector = '{"labels":{"a":["b"]}}' WHERE id = $1`,
      [id],
    );
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await read()).toBe(403);
  });

  test('a request that fails leaves nothing on record', async () => {
    const before = (await recorded(registry(), 'kind=token_created')).length;
    await create({ name: 'bad', scopes: ['clients:fly'] });
    expect(await recorded(registry(), 'kind=token_created')).toHaveLength(before);
  });

  test('the chain of all this is intact', async () => {
    // First uses are recorded off the path of requests, and may come in between.
    await eventually(async () => {
      const { events, last } = await verified(registry());
      expect(events).toBeGreaterThan(8);
      const [latest] = await recorded(registry());
      expect(last).toBe(`${latest?.seq}-${latest?.mac}`);
    });
  });
});
