import { onPostgres } from '../on-both-databases.js';
import { pathOf, registration } from '../running-registry.js';
import { flushUsage } from './recorded.js';

onPostgres((registry) => {
  const found = async (query: string) => {
    const { status, body } = await registry().ask('GET', `/client?${query}&count=true&sort=client_id`);
    const clients = (body['clients'] as { client_id: string }[]).map(({ client_id: id }) => id);
    expect([status, body['total']]).toEqual([200, clients.length]);
    return clients;
  };

  test('lists and statistics know when Clients were last used and refused', async () => {
    for (const id of ['idle', 'refused', 'secret', 'used']) {
      const { body } = await registry().ask('POST', '/client', {
        body: registration({ preferred_client_id: id }),
      });
      const check = async (name: string, sent: object) =>
        registry().ask('POST', `${pathOf(id)}/check/${name}`, { body: sent });
      if (id === 'secret') await check('secret', { client_secret: body['client_secret'] });
      if (id === 'refused') await check('authorization_request', { response_type: 'token' });
      if (id === 'used') await check('authorization_request', { response_type: 'code' });
    }
    await flushUsage(registry());
    const [past, future] = ['2026-01-01', '2999-01-01'];
    expect(await found('never_used=true')).toEqual(['idle', 'refused']);
    expect(await found('never_used=false')).toEqual(['secret', 'used']);
    expect(await found(`refused_since=${past}`)).toEqual(['refused']);
    expect(await found(`refused_since=${future}`)).toEqual([]);
    expect(await found(`last_used_before=${future}`)).toEqual(['idle', 'refused', 'secret', 'used']);
    expect(await found(`last_used_before=${past}`)).toEqual([]);
    expect(await found(`last_used_before=${future}&never_used=true&refused_since=${past}`)).toEqual([
      'refused',
    ]);
    await registry().dataSource.query(
      `UPDATE client SET created_at = now() - interval '9 days';
       UPDATE client_last_use SET used_at = now() - interval '3 days' WHERE client_id = 'used'`,
    );
    const dayAgo = new Date(Date.now() - 24 * 3_600_000).toISOString();
    expect(await found(`last_used_before=${dayAgo}`)).toEqual(['idle', 'refused', 'used']);
    const { body: stats } = await registry().ask('GET', '/clients/stats');
    expect(stats['usage']).toMatchObject({
      never_used: 2,
      refused: 1,
      last_use: [{ within_days: 1, count: 1 }, { within_days: 7, count: 1 }, {}, {}, {}, { count: 0 }],
    });
    for (const query of ['never_used=1', 'refused_since=x', 'last_used_before=x']) {
      expect((await registry().ask('GET', `/client?${query}`)).status).toBe(400);
    }
  });

  test('a Client that was used again within the hour is not listed as unused since before that', async () => {
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'again' }) });
    const use = async () => {
      await registry().ask('POST', `${pathOf('again')}/check/authorization_request`, {
        body: { response_type: 'code' },
      });
      await flushUsage(registry());
    };
    await use();
    await registry().dataSource.query(
      `UPDATE client SET created_at = now() - interval '9 days';
       UPDATE client_last_use SET used_at = now() - interval '50 minutes';
       UPDATE client_usage SET first_at = now() - interval '50 minutes', last_at = now() - interval '50 minutes'`,
    );
    const halfAnHourAgo = new Date(Date.now() - 30 * 60_000).toISOString();
    expect(await found(`last_used_before=${halfAnHourAgo}`)).toContain('again');
    await use();
    expect(await found(`last_used_before=${halfAnHourAgo}`)).not.toContain('again');
  });
});
