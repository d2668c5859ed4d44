import { setTimeout as sleep } from 'node:timers/promises';
import { JobPruner } from '../../src/jobs/job-pruner.js';
import { onBothDatabases } from '../on-both-databases.js';
import { type Answer, ask, pathOf, registration } from '../running-registry.js';

type Members = Record<string, unknown>;

onBothDatabases((registry) => {
  let count = 0;
  const post = async (path: string, body?: unknown) => registry().ask('POST', path, { body });
  const read = async (clientId: string) => (await registry().ask('GET', pathOf(clientId))).body;
  const jobAt = async (path: string) => (await registry().ask('GET', path)).body;

  /** Registers Clients with a label of their own, which selects them. */
  const register = async (...clients: Members[]): Promise<{ ids: string[]; filter: Members }> => {
    const set = `set-${(count += 1)}`;
    const made = await Promise.all(
      clients.map(async (client, index) =>
        post(
          '/client',
          registration({ preferred_client_id: `${set}-${index}`, labels: { job: set }, ...client }),
        ),
      ),
    );
    return { ids: made.map(({ body }) => String(body['client_id'])), filter: { label: [`job:${set}`] } };
  };

  const ended = async (started: Answer): Promise<Members> => {
    expect([started.status, started.body]).toEqual([202, expect.anything()]);
    const path = started.headers.get('location') ?? '';
    for (;;) {
      const job = await jobAt(path);
      if (job['finished_at'] !== undefined) return job;
      await sleep(20);
    }
  };
  const run = async (body: Members) => ended(await post('/clients/jobs', body));
  const undo = async ({ id }: Members) => ended(await post(`/clients/jobs/${String(id)}/undo`));
  const resultsOf = async ({ id }: Members, query = '') =>
    (await jobAt(`/clients/jobs/${String(id)}/results${query}`))['results'] as Members[];

  test('a job changes the Clients that match, and reports each', async () => {
    const { ids, filter } = await register({}, {}, {});
    await post(`${pathOf(ids[1])}/disable`);
    const job = await run({ action: 'disable', filter });
    expect(job).toMatchObject({
      ...{ action: 'disable', filter, dry_run: false, state: 'finished' },
      ...{ total: 3, changed: 2, unchanged: 1, failed: 0, created_by: { name: 'bootstrap' } },
    });
    expect((await read(ids[0]!))['enabled']).toBe(false);
    expect(await resultsOf(job)).toEqual([
      expect.objectContaining({ client_id: ids[0], client_name: 'Shop', result: 'changed' }),
      expect.objectContaining({ client_id: ids[1], result: 'unchanged' }),
      expect.objectContaining({ client_id: ids[2], result: 'changed' }),
    ]);
    const [entry] = (await jobAt(`${pathOf(ids[0])}/history`))['changes'] as Members[];
    expect(entry).toMatchObject({ kind: 'disabled', actor: { name: 'bootstrap' } });
    const { headers } = await registry().ask('GET', pathOf(ids[0]));
    expect((await resultsOf(job))[0]!['etag']).toBe(headers.get('etag'));
  });

  test('undo puts back what has not changed since', async () => {
    const { ids, filter } = await register({ client_name: 'First' }, { client_name: 'Second' });
    const job = await run({
      action: 'patch',
      filter,
      patch: { client_name: 'Same', client_uri: 'https://a.example/' },
    });
    await registry().ask('PATCH', pathOf(ids[1]), {
      body: { client_name: 'Later' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const undone = await undo(job);
    expect(undone).toMatchObject({ action: 'undo', undoes: job['id'], total: 2, changed: 1, failed: 1 });
    expect(await read(ids[0]!)).toMatchObject({ client_name: 'First' });
    expect(await read(ids[0]!)).not.toHaveProperty('client_uri');
    expect(await read(ids[1]!)).toMatchObject({ client_name: 'Later' });
    expect(await resultsOf(undone, '?result=failed')).toMatchObject([
      { client_id: ids[1], problem: { detail: expect.stringMatching(/changed in the meantime/) as string } },
    ]);
    expect(await jobAt(`/clients/jobs/${String(job['id'])}`)).toMatchObject({ undone_by: undone['id'] });
    // An undo can be undone.
    expect(await undo(undone)).toMatchObject({ changed: 1 });
    expect(await read(ids[0]!)).toMatchObject({ client_name: 'Same', client_uri: 'https://a.example/' });
  });

  test('undoing a deletion brings the Clients back, disabled', async () => {
    const { ids, filter } = await register({ client_name: 'Gone' });
    const job = await run({ action: 'delete', filter });
    expect((await registry().ask('GET', pathOf(ids[0]))).status).toBe(404);
    expect(await undo(job)).toMatchObject({ changed: 1 });
    expect(await read(ids[0]!)).toMatchObject({ client_name: 'Gone', enabled: false });
  });

  test('a dry run changes nothing, and shows what would change', async () => {
    const { ids, filter } = await register({}, { client_name: 'Same' });
    const job = await run({ action: 'patch', filter, patch: { client_name: 'Same' }, dry_run: true });
    expect(job).toMatchObject({ dry_run: true, changed: 1, unchanged: 1 });
    expect((await resultsOf(job))[0]).toMatchObject({
      changes: [{ field: 'client_name', before: 'Shop', after: 'Same' }],
    });
    expect(await read(ids[0]!)).toMatchObject({ client_name: 'Shop' });
    const { body } = await registry().ask('POST', `/clients/jobs/${String(job['id'])}/undo`);
    expect(body).toMatchObject({ status: 409 });
    const listed = async (query: string) =>
      ((await jobAt(`/clients/jobs${query}`))['jobs'] as Members[]).map(({ id }) => id);
    expect(await listed('')).not.toContain(job['id']);
    expect(await listed('?dry_runs=true')).toContain(job['id']);
  });

  test('each Client is validated', async () => {
    const { ids, filter } = await register(
      {},
      { redirect_uris: ['https://shop.example/cb', 'https://b.example/'] },
    );
    const patch = { redirect_uri_validation_method: 'nonsense' };
    const job = await run({ action: 'patch', filter, patch });
    expect(job).toMatchObject({ state: 'finished', changed: 0, failed: 2 });
    expect((await resultsOf(job))[1]).toMatchObject({
      client_id: ids[1],
      result: 'failed',
      problem: { error: 'invalid_client_metadata' },
    });
  });

  test('a warning is fixed where one change resolves it', async () => {
    const { ids, filter } = await register(
      { code_challenge_method: 'plain' },
      { code_challenge_method: 'S256' },
      { code_challenge_method: 'none', client_uri: 'https://c.example/' },
    );
    const job = await run({
      action: 'fix',
      warning: 'weak_pkce',
      filter: { ...filter, warning: 'weak_pkce' },
    });
    expect(job).toMatchObject({ total: 2, changed: 2 });
    expect(await read(ids[2]!)).toMatchObject({
      code_challenge_method: 'S256',
      client_uri: 'https://c.example/',
    });
  });

  test('a Client that changed since the job found it is skipped', async () => {
    const { ids, filter } = await register({}, {});
    const { dataSource } = registry();
    const job = await run({ action: 'disable', filter, dry_run: true });
    await registry().ask('POST', `${pathOf(ids[0])}/disable`);
    // The job runs again, for good, from where it had found the Clients.
    await dataSource.query('UPDATE client_job_item SET result = NULL WHERE job_id = $1', [job['id']]);
    await dataSource.query(
      `UPDATE client_job SET state = 'running', dry_run = false, finished_at = NULL, changed = 0, unchanged = 0 WHERE id = $1`,
      [job['id']],
    );
    await post('/clients/jobs', { action: 'disable', filter, dry_run: true });
    const repeated = await ended({
      status: 202,
      body: {},
      headers: new Headers({ location: `/clients/jobs/${String(job['id'])}` }),
    });
    expect(repeated).toMatchObject({ changed: 1, failed: 1 });
  });

  test('only named Clients change, as far as they match', async () => {
    const { ids, filter } = await register({}, {}, {});
    await post(`${pathOf(ids[0])}/disable`);
    const job = await run({
      action: 'delete',
      filter: { ...filter, enabled: true },
      client_ids: [ids[0], ids[1], 'nobody'],
    });
    expect(job).toMatchObject({ total: 3, changed: 1, failed: 2 });
    expect((await read(ids[2]!))['client_id']).toBe(ids[2]);
  });

  test('Clients that await approval are enabled only if the filter names them', async () => {
    const { ids, filter } = await register({}, {});
    await registry().dataSource.query(
      'UPDATE client SET enabled = false, pending = true WHERE client_id = $1',
      [ids[0]],
    );
    await post(`${pathOf(ids[1])}/disable`);
    expect(await run({ action: 'enable', filter })).toMatchObject({ total: 1, changed: 1 });
    expect(await run({ action: 'enable', filter, client_ids: [ids[0]] })).toMatchObject({
      changed: 0,
      failed: 1,
    });
    expect((await read(ids[0]!))['enabled']).toBe(false);
    expect(await run({ action: 'enable', filter: { ...filter, pending: true } })).toMatchObject({
      changed: 1,
    });
  });

  test('a token sees and changes only what it reaches, and a revoked one stops its jobs', async () => {
    const { ids, filter } = await register({}, {});
    const scopes = ['clients:read', 'clients:write'];
    const made = await post('/token', { name: 'narrow', scopes, client_id: ids[0] });
    expect(made.status).toBe(201);
    const token = String(made.body['token']);
    const own = async (method: string, path: string, body?: unknown) =>
      ask(registry().url + path, method, token, { body });
    const started = await own('POST', '/clients/jobs', { action: 'disable', filter });
    const job = await ended(started);
    expect(job).toMatchObject({ total: 1, changed: 1, created_by: { name: 'narrow' } });
    expect((await own('GET', `/clients/jobs/${String(job['id'])}`)).status).toBe(200);
    const others = await run({ action: 'enable', filter });
    expect((await own('GET', `/clients/jobs/${String(others['id'])}`)).status).toBe(404);
    expect((await own('GET', `/clients/jobs/${String(others['id'])}/results`)).status).toBe(404);
    expect((await own('POST', `/clients/jobs/${String(others['id'])}/undo`)).status).toBe(404);
    expect(((await own('GET', '/clients/jobs')).body['jobs'] as Members[]).map(({ id }) => id)).toEqual([
      job['id'],
    ]);
    await registry().ask('DELETE', `/token/${String(made.body['id'])}`);
    const { dataSource } = registry();
    await dataSource.query(`UPDATE client_job SET state = 'running', finished_at = NULL WHERE id = $1`, [
      job['id'],
    ]);
    await post('/clients/jobs', { action: 'disable', filter, dry_run: true });
    expect(await ended({ ...started, body: {} })).toMatchObject({
      state: 'failed',
      problem: { error: 'invalid_token' },
    });
  });

  test('a job can be cancelled before its end, and one that has ended stays as it is', async () => {
    const { filter } = await register({});
    const job = await run({ action: 'disable', filter });
    const cancel = async () => (await post(`/clients/jobs/${String(job['id'])}/cancel`)).body;
    expect(await cancel()).toMatchObject({ state: 'finished' });
    await registry().dataSource.query(
      `UPDATE client_job SET state = 'paused', finished_at = NULL WHERE id = $1`,
      [job['id']],
    );
    const unfinished = await post(`/clients/jobs/${String(job['id'])}/undo`);
    expect(unfinished.status).toBe(409);
    expect(await cancel()).toMatchObject({ state: 'cancelled', changed: 1 });
    expect(await undo(job)).toMatchObject({ changed: 1 });
  });

  test('one token may have only some open jobs', async () => {
    const { filter } = await register({});
    const { dataSource } = registry();
    const { id } = await run({ action: 'disable', filter });
    await dataSource.query(
      `INSERT INTO client_job (action, dry_run, state, since, actor_id, actor_name, address, selector, created_at, worked_at)
       SELECT action, dry_run, 'paused', since, actor_id, actor_name, address, selector, created_at, worked_at
       FROM client_job, generate_series(1, 5) WHERE id = $1`,
      [id],
    );
    expect((await post('/clients/jobs', { action: 'enable', filter })).status).toBe(429);
    await dataSource.query(`DELETE FROM client_job WHERE state = 'paused'`);
    expect((await run({ action: 'enable', filter }))['changed']).toBe(1);
  });

  test('a job that expects another number of Clients changes none', async () => {
    const { ids, filter } = await register({}, {});
    const preview = await run({ action: 'delete', filter, dry_run: true });
    await post(
      '/client',
      registration({ preferred_client_id: `${ids[0]}-late`, labels: { job: `set-${count}` } }),
    );
    const late = await run({ action: 'delete', filter, expected_total: preview['total'] });
    expect(late).toMatchObject({
      ...{ state: 'failed', changed: 0 },
      problem: { error: 'unexpected_total', detail: '3 clients match instead of 2; nothing was changed.' },
    });
    expect(await read(ids[0]!)).toMatchObject({ client_id: ids[0] });
    expect((await run({ action: 'delete', filter, expected_total: 3 }))['changed']).toBe(3);
  });

  test('old jobs are deleted, dry runs after a day', async () => {
    const { filter } = await register({});
    const job = await run({ action: 'disable', filter });
    const dryRun = await run({ action: 'enable', filter, dry_run: true });
    const pruner = registry().service.app.get(JobPruner);
    const statuses = async () =>
      Promise.all(
        [job, dryRun].map(
          async ({ id }) => (await registry().ask('GET', `/clients/jobs/${String(id)}`)).status,
        ),
      );
    const days = (count: number) => new Date(Date.now() + count * 24 * 3_600_000);
    await pruner.prune(days(0));
    expect(await statuses()).toEqual([200, 200]);
    await pruner.prune(days(2));
    expect(await statuses()).toEqual([200, 404]);
    await pruner.prune(days(31));
    expect(await statuses()).toEqual([404, 404]);
  });

  test('a filter by a field may be a boolean', async () => {
    const filter = { q: 'nobody', authorize_anonymous_users: true };
    expect((await post('/clients/jobs', { action: 'disable', filter, dry_run: true })).status).toBe(202);
  });

  test.each<readonly [string, Members, string]>([
    ['no Clients', { action: 'disable' }, '/filter'],
    ['an unknown filter', { action: 'disable', filter: { nmae: 'x' } }, '/filter/nmae'],
    ['a search for no word', { action: 'delete', filter: { q: 'https://' } }, '/filter/q'],
    ['a wrong value', { action: 'disable', filter: { warning: 'x' } }, '/filter/warning'],
    ['no patch', { action: 'patch', filter: {} }, '/patch'],
    [
      'a secret in its patch',
      { action: 'patch', filter: {}, patch: { client_secret: 'x' } },
      '/patch/client_secret',
    ],
    ['a warning without a fix', { action: 'fix', filter: {}, warning: 'look_alike_name' }, '/warning'],
    ['an undo', { action: 'undo', filter: {} }, '/action'],
    ['ids that are no list', { action: 'disable', client_ids: 'shop' }, '/client_ids'],
    // As some programs write what is empty; it would mean all Clients.
    ...['client_ids', 'filter', 'dry_run', 'expected_total'].map(
      (name) => [`null for ${name}`, { action: 'delete', filter: {}, [name]: null }, `/${name}`] as const,
    ),
    ...['q', 'label', 'enabled', 'never_used', 'refused_since', 'authorize_anonymous_users'].map(
      (name) =>
        [`null for ${name}`, { action: 'delete', filter: { [name]: null } }, `/filter/${name}`] as const,
    ),
    ...['label', 'label!'].map(
      (n) => [`no ${n}`, { action: 'delete', filter: { [n]: [] } }, `/filter/${n}`] as const,
    ),
  ])('a job with %s is refused', async (_case, body, field) => {
    expect(await post('/clients/jobs', body)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });
});
