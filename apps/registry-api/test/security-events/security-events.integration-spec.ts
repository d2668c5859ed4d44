import { createLogger } from '@svc/service-kit';
import { inTransaction } from '../../src/database/transaction.js';
import { EventKeys } from '../../src/secrets/event-keys.js';
import { recordSettings } from '../../src/security-events/record-settings.js';
import { REGISTRY } from '../../src/security-events/security-event.js';
import { SecurityEvents } from '../../src/security-events/security-events.js';
import { onBothDatabases } from '../on-both-databases.js';
import { ask, pathOf, registration } from '../running-registry.js';
import { eventuallyRecorded, prunerOf, recorded, verified } from './recorded-events.js';
import { tenAtATime } from './ten-at-a-time.js';

onBothDatabases(
  (registry) => {
    const post = async (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      (await registry().ask('POST', path, { body, headers })).body;
    const bootstrap = { name: 'bootstrap', source: 'token', address: '127.0.0.1' };

    test('a secret rotation is on record with its overlap, alone, in bulk and once per key', async () => {
      const { client_id: id } = await post('/client', registration());
      await post(`${pathOf(id)}/reset_secret`, { overlap: '1 h', expires_in: '2 d' });
      await post(`${pathOf(id)}/reset_secret`, undefined, { 'idempotency-key': 'once' });
      await post(`${pathOf(id)}/reset_secret`, undefined, { 'idempotency-key': 'once' });
      const rotated = await recorded(registry(), `kind=secret_rotated&subject=${String(id)}`);
      const until = expect.stringMatching(/^\d{4}-/) as unknown;
      expect(rotated).toMatchObject([
        { actor: bootstrap, details: { former_valid_until: null, expires_at: null } },
        { actor: bootstrap, details: { former_valid_until: until, expires_at: until } },
      ]);
    });

    test('a developer’s registration, and the secret it gets by a later change, are on record', async () => {
      const { token } = await post('/token', { name: 'initial', scopes: ['clients:register'] });
      const body = registration({ token_endpoint_auth_method: 'none' });
      const url = `${registry().url}/register`;
      const made = (await ask(url, 'POST', String(token), { body })).body;
      const own = String(made['registration_access_token']);
      const id = String(made['client_id']);
      const replacement = { ...body, client_id: id, token_endpoint_auth_method: 'client_secret_basic' };
      const { status, body: answer } = await ask(`${url}/${id}`, 'PUT', own, { body: replacement });
      expect([status, answer]).toEqual([200, expect.objectContaining({ client_secret: expect.any(String) })]);
      expect(await recorded(registry(), `subject=${id}`)).toMatchObject([
        { kind: 'secret_rotated', actor: { id: `registration:${id}`, source: 'registration' } },
        { kind: 'client_registered', actor: { name: 'initial' }, details: { client_name: 'Shop' } },
      ]);
      // An administrator's is not: the history has it.
      const { client_id: other } = await post('/client', registration());
      expect(await recorded(registry(), `subject=${String(other)}`)).toEqual([]);
    });

    test('imports and exports are on record with their counts, dry runs and failures are not', async () => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const body = ['a', 'b'].map((id) => JSON.stringify({ ...registration(), client_id: id })).join('\n');
      await registry().ask('POST', '/clients/import?dry_run=true', { body, headers });
      await registry().ask('POST', '/clients/import', { body: `${body}\n{}`, headers });
      await registry().ask('POST', '/clients/import', { body, headers });
      expect(await recorded(registry(), 'kind=clients_imported')).toMatchObject([
        { actor: bootstrap, details: { dry_run: false, registered: 2, updated: 0 } },
      ]);
      const { url, token } = registry();
      await fetch(`${url}/clients/export?client_id=a&client_id=b&client_id=none`, {
        headers: { authorization: `Bearer ${token}` },
      }).then(async (response) => response.text());
      await eventuallyRecorded(registry(), 'kind=clients_exported', [
        { actor: bootstrap, details: { format: 'ndjson', clients: 2 } },
      ]);
    });

    test('refused credentials are on record, combined, and without the credentials', async () => {
      for (let count = 0; count < 3; count += 1) await ask(`${registry().url}/client`, 'GET', 'svcr_wrong');
      const few = await post('/token', { name: 'few', scopes: ['clients:check'] });
      await ask(`${registry().url}/client`, 'POST', String(few['token']), { body: registration() });
      const far = await post('/token', { name: 'far', scopes: ['clients:read'], networks: ['192.0.2.0/24'] });
      await ask(`${registry().url}/client`, 'GET', String(far['token']));
      await eventuallyRecorded(registry(), `kind=credential_refused&actor=${String(far['id'])}`, [
        { actor: { name: 'far', address: '127.0.0.1' }, details: { reason: 'network' } },
      ]);
      await eventuallyRecorded(registry(), `kind=credential_refused&actor=${String(few['id'])}`, [
        { actor: { name: 'few' }, details: { reason: 'scope', scope: 'clients:write' } },
      ]);
      const all = await recorded(registry(), 'kind=credential_refused');
      const wrong = all.filter(({ actor }) => actor.source === 'none');
      expect(wrong.at(-1)).toMatchObject({ actor: { address: '127.0.0.1' }, details: { reason: 'token' } });
      expect(JSON.stringify(all)).not.toContain('svcr_wrong');
    });

    test('the settings of the first start are on record, later only what differs; of secrets no value', async () => {
      const [first] = await recorded(registry(), 'kind=settings_changed');
      expect(first).toMatchObject({
        details: { first: true, changed: { REGISTRATION: { after: 'token' } } },
      });
      const peppers = ['p'.repeat(40), 'q'.repeat(40)] as const;
      const { dataSource } = registry();
      const start = async (settings: Record<string, string>, ...keys: [string, ...string[]]) => {
        const events = new SecurityEvents(dataSource, new EventKeys(keys), createLogger('test', 'silent'));
        const { SECRET_PEPPER, ...others } = settings;
        const texts = Object.entries(others).map(([name, text]) => [name, { text }] as const);
        const given = new Map<string, { text: string } | { secret: string }>(texts);
        if (SECRET_PEPPER !== undefined) given.set('SECRET_PEPPER', { secret: SECRET_PEPPER });
        await recordSettings(dataSource, given, events);
      };
      const last = async () => (await recorded(registry(), 'kind=settings_changed'))[0]?.details['changed'];
      await start({ LOG_LEVEL: 'info', SECRET_PEPPER: peppers[0] }, peppers[0]);
      const count = (await recorded(registry(), 'kind=settings_changed')).length;
      await start({ LOG_LEVEL: 'info', SECRET_PEPPER: peppers[0] }, peppers[0]);
      expect(await recorded(registry(), 'kind=settings_changed')).toHaveLength(count);
      await start({ LOG_LEVEL: 'warn', SECRET_PEPPER: peppers[0] }, peppers[0]);
      expect(await last()).toEqual({ LOG_LEVEL: { before: 'info', after: 'warn' } });
      await start({ SECRET_PEPPER: peppers.toReversed().join(' ') }, peppers[1], peppers[0]);
      expect(await last()).toEqual({ LOG_LEVEL: { before: 'warn' }, SECRET_PEPPER: 'secret changed' });
      await start({ SECRET_PEPPER: peppers.toReversed().join(' ') }, peppers[1], peppers[0]);
      const all = await recorded(registry(), 'kind=settings_changed');
      expect(all).toHaveLength(count + 2);
      for (const pepper of peppers) expect(JSON.stringify(all)).not.toContain(pepper);
    });
  },
  { REGISTRATION: 'token', TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic' },
);

onBothDatabases((registry) => {
  test('what any process adds at the same time forms one chain; a rollback leaves no gap', async () => {
    const events = registry().service.app.get(SecurityEvents);
    const { dataSource } = registry();
    const event = (subject: string) => ({ kind: 'secret_rotated', actor: REGISTRY, subject }) as const;
    const add = async (subject: string, fails: boolean) =>
      inTransaction(dataSource, async (transaction) => {
        events.add(transaction, event(`${subject}-1`));
        events.add(transaction, event(`${subject}-2`), event(`${subject}-3`));
        await transaction.query('SELECT 1');
        if (fails) throw new Error('rolled back');
      });
    const isAdded = (index: number) => async () =>
      add(String(index), index % 3 === 0).then(
        () => true,
        () => false,
      );
    const outcomes = await tenAtATime(Array.from({ length: 60 }, (_, index) => isAdded(index)));
    expect(outcomes.filter(Boolean)).toHaveLength(40);
    const added = await recorded(registry(), 'kind=secret_rotated');
    expect(added).toHaveLength(120);
    // The last one that is recorded off the path of requests.
    await eventuallyRecorded(registry(), 'kind=token_first_used', [{}]);
    expect((await verified(registry())).events).toBe((await recorded(registry()))[0]?.seq);
  });

  test('texts that PostgreSQL or JSON would change are stored as the MAC covers them', async () => {
    const events = registry().service.app.get(SecurityEvents);
    const name = 'a\0b\ud800 "\\ é 😀 \u2028'.padEnd(600, '😀');
    await inTransaction(registry().dataSource, async (transaction) => {
      events.add(transaction, {
        ...{ kind: 'token_created', actor: { ...REGISTRY, name }, at: new Date('2026-01-01T00:00:00.007Z') },
        details: { é: ['\u0001', 1e21, -0, 0.1, null], nested: { b: 1, a: [] } },
      });
    });
    const record = await verified(registry());
    // Only what the registry can verify is deleted.
    expect(await prunerOf(registry()).prune(new Date(Date.now() + 401 * 86_400_000))).toBe(record.events);
    expect(await verified(registry())).toEqual({ events: 0 });
  });
});
