import { REFUSED_REQUESTS } from './bulk-refusals.js';
import { onBothDatabases } from './on-both-databases.js';
import { type Answer, ask, pathOf, registration, untilServed } from './running-registry.js';

type Result = Record<string, unknown>;

onBothDatabases((registry, isThorough) => {
  let count = 0;
  const nextId = () => `bulk-${(count += 1)}-${Math.random()}`;
  const bulk = async (operations: unknown, options: Record<string, unknown> = {}): Promise<Answer> =>
    registry().ask('POST', '/clients/bulk', { body: { ...options, operations } });
  const register = async (): Promise<string> => {
    const made = await registry().ask('POST', '/client', {
      body: registration({ preferred_client_id: nextId() }),
    });
    return String(made.body['client_id']);
  };
  const read = async (clientId: string): Promise<Answer> => registry().ask('GET', pathOf(clientId));
  const etagOf = async (clientId: string) => (await read(clientId)).headers.get('etag') ?? '';
  const resultsOf = ({ body }: Answer) => body['results'] as Result[];
  const errorsOf = ({ body }: Answer) => body['errors'] as Result[];
  const kindsOf = async (clientId: string): Promise<unknown[]> => {
    const rows = await registry().dataSource.query<{ kind: string }[]>(
      'SELECT kind FROM client_change WHERE client_id = $1 ORDER BY seq',
      [clientId],
    );
    return rows.map(({ kind }) => kind);
  };

  test('item by item, the response lists some problems of each failed operation and counts the rest', async () => {
    const client = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown_${index}`, 1]));
    const answer = await bulk(
      Array.from({ length: 20 }, () => ({ op: 'register', client })),
      { atomic: false },
    );
    const errors = resultsOf(answer).map((result) =>
      errorsOf({ ...answer, body: result['problem'] as Result }),
    );
    expect(errors[0]).toHaveLength(52);
    expect(errors.at(-1)).toEqual([
      expect.objectContaining({ field: '/unknown_0' }),
      { field: '', code: 'more_problems', message: 'there are 51 more violations' },
    ]);
  });

  test('operations of every kind take effect in their order, with a result each', async () => {
    const [a, b, c] = [await register(), await register(), await register()];
    const id = nextId();
    const answer = await bulk([
      { op: 'register', client: registration({ preferred_client_id: id }) },
      { op: 'update', client_id: a, patch: { client_name: 'Patched' } },
      { op: 'update', client_id: b, client: registration({ client_name: 'Replaced' }) },
      { op: 'disable', client_id: a },
      { op: 'disable', client_id: b },
      { op: 'enable', client_id: a },
      { op: 'enable', client_id: c },
      { op: 'delete', client_id: c },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({ atomic: true, dry_run: false, succeeded: 8, failed: 0 });
    const etag = expect.stringMatching(/^"\d+-[0-9a-f]{12}"$/) as string;
    const secret = expect.stringMatching(/^[\w-]{43}$/) as string;
    expect(resultsOf(answer)).toEqual([
      { index: 0, op: 'register', client_id: id, status: 201, changed: true, etag, client_secret: secret },
      { index: 1, op: 'update', client_id: a, status: 200, changed: true, etag },
      { index: 2, op: 'update', client_id: b, status: 200, changed: true, etag },
      { index: 3, op: 'disable', client_id: a, status: 200, changed: true, etag },
      { index: 4, op: 'disable', client_id: b, status: 200, changed: true, etag },
      { index: 5, op: 'enable', client_id: a, status: 200, changed: true, etag },
      { index: 6, op: 'enable', client_id: c, status: 200, changed: false, etag },
      { index: 7, op: 'delete', client_id: c, status: 204, changed: true },
    ]);
    expect((await read(a)).body).toMatchObject({ client_name: 'Patched', enabled: true });
    expect((await read(b)).body).toMatchObject({ client_name: 'Replaced', enabled: false });
    expect((await read(c)).status).toBe(404);
    expect(await etagOf(a)).toBe(resultsOf(answer)[5]?.['etag']);
    expect(await etagOf(b)).toBe(resultsOf(answer)[4]?.['etag']);
    const [made] = resultsOf(answer);
    const checked = await registry().ask('POST', `${pathOf(id)}/check/secret`, {
      body: { client_secret: made?.['client_secret'] },
    });
    expect(checked.body['valid']).toBe(true);
    expect(await kindsOf(a)).toEqual(['registered', 'updated', 'disabled', 'enabled']);
    expect(await kindsOf(c)).toEqual(['registered', 'deleted']);
  });

  test('a Client can be registered, changed and deleted, and registered again, in one request', async () => {
    const id = nextId();
    const client = registration({ preferred_client_id: id });
    const answer = await bulk([
      { op: 'register', client },
      { op: 'update', client_id: id, patch: { client_name: 'Patched' } },
      { op: 'delete', client_id: id },
      { op: 'register', client },
      { op: 'disable', client_id: id },
      { op: 'disable', client_id: id },
    ]);
    expect(resultsOf(answer).map(({ status, changed }) => [status, changed])).toEqual([
      [201, true],
      [200, true],
      [204, true],
      [201, true],
      [200, true],
      [200, false],
    ]);
    expect(resultsOf(answer)[5]?.['etag']).toBe(resultsOf(answer)[4]?.['etag']);
    expect((await read(id)).body).toMatchObject({ client_name: 'Shop', enabled: false });
    expect(await etagOf(id)).toBe(resultsOf(answer)[4]?.['etag']);
    expect(await kindsOf(id)).toEqual(['registered', 'updated', 'deleted', 'registered', 'disabled']);
  });

  test('together, one violation prevents all changes, and every violation is reported at its place', async () => {
    const [a, b] = [await register(), await register()];
    const taken = await register();
    const answer = await bulk([
      { op: 'disable', client_id: a },
      { op: 'update', client_id: b, patch: { redirect_uris: ['https://shop.example/#f'] } },
      { op: 'update', client_id: b, client: registration({ client_name: '' }) },
      { op: 'delete', client_id: 'nobody' },
      { op: 'enable', client_id: a, if_match: '"0"' },
      { op: 'register', client: registration({ preferred_client_id: taken }) },
      { op: 'register', client: null },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(errorsOf(answer)).toMatchObject([
      { field: '/operations/1/patch/redirect_uris/0' },
      { field: '/operations/2/client/client_name', code: 'too_short' },
      { field: '/operations/3/client_id', code: 'not_found', message: "There is no client 'nobody'." },
      {
        field: '/operations/4/if_match',
        code: 'changed',
        message: `The client '${a}' has changed in the meantime; read it again.`,
      },
      {
        field: '/operations/5/client/preferred_client_id',
        code: 'taken',
        message: `a client '${taken}' is already registered`,
      },
      { field: '/operations/6/client', code: 'type', message: 'a client must be a JSON object' },
    ]);
    expect(answer.body['detail']).toMatch(/^Nothing was changed: operations\/1\/patch\/redirect_uris\/0: /);
    expect((await read(a)).body['enabled']).toBe(true);
    expect(await kindsOf(a)).toEqual(['registered']);
  });

  test.each<[number, object]>([
    [404, { op: 'delete', client_id: 'nobody' }],
    [404, { op: 'enable', client_id: 'a\tb' }],
    [412, { op: 'delete', client_id: 'known', if_match: '"0"' }],
    [409, { op: 'register', client: registration({ preferred_client_id: 'known' }) }],
  ])('errors of one kind answer %i', async (status, operation) => {
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'known' }) });
    expect((await bulk([operation, operation])).status).toBe(status);
  });

  test('item by item, valid operations are carried out, and the rest reported', async () => {
    const a = await register();
    const answer = await bulk(
      [
        { op: 'disable', client_id: a },
        { op: 'delete', client_id: 'nobody' },
        { op: 'update', client_id: a, patch: { client_name: null } },
        { op: 'update', client_id: a, patch: { client_name: 'Patched' } },
      ],
      { atomic: false },
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ atomic: false, succeeded: 2, failed: 2 });
    expect(resultsOf(answer)).toMatchObject([
      { index: 0, status: 200, changed: true },
      {
        index: 1,
        op: 'delete',
        client_id: 'nobody',
        status: 404,
        problem: { error: 'not_found', detail: "There is no client 'nobody'." },
      },
      {
        index: 2,
        client_id: a,
        status: 400,
        problem: {
          error: 'invalid_client_metadata',
          errors: [{ field: '/client_name', code: 'required', message: 'client_name is required' }],
        },
      },
      { index: 3, status: 200, changed: true },
    ]);
    expect((await read(a)).body).toMatchObject({ client_name: 'Patched', enabled: false });
  });

  test.each([true, false])('a dry run (atomic: %p) answers the same and does nothing', async (atomic) => {
    const a = await register();
    const etag = await etagOf(a);
    const id = nextId();
    const answer = await bulk(
      [
        { op: 'register', client: registration({ preferred_client_id: id }) },
        { op: 'register', client: registration() },
        { op: 'update', client_id: a, patch: { client_name: 'Patched' } },
        { op: 'update', client_id: id, patch: { client_name: 'Patched' } },
        { op: 'enable', client_id: a },
        { op: 'delete', client_id: a },
      ],
      { atomic, dry_run: true },
    );
    expect(answer.body).toMatchObject({ dry_run: true, succeeded: 6, failed: 0 });
    expect(resultsOf(answer)).toMatchObject([
      { index: 0, op: 'register', client_id: id, status: 201, changed: true },
      { index: 1, op: 'register', status: 201, changed: true },
      { index: 2, op: 'update', client_id: a, status: 200, changed: true },
      { index: 3, op: 'update', client_id: id, status: 200, changed: true },
      { index: 4, op: 'enable', client_id: a, status: 200, changed: false },
      { index: 5, op: 'delete', client_id: a, status: 204, changed: true },
    ]);
    expect(resultsOf(answer)[1]).not.toHaveProperty('client_id');
    expect(JSON.stringify(answer.body)).not.toMatch(/client_secret|pending/);
    expect((await read(id)).status).toBe(404);
    expect(await etagOf(a)).toBe(etag);
  });

  test('a dry run of a failing request responds like the real one', async () => {
    const { status } = await bulk([{ op: 'delete', client_id: 'nobody' }], { dry_run: true });
    expect(status).toBe(404);
  });

  test('if_match names the state that an operation applies to', async () => {
    const a = await register();
    const before = await etagOf(a);
    const answer = await bulk(
      [
        { op: 'disable', client_id: a, if_match: before },
        { op: 'update', client_id: a, patch: { client_name: 'x' }, if_match: before },
        { op: 'update', client_id: a, patch: { client_name: 'y' }, if_match: '*' },
      ],
      { atomic: false },
    );
    expect(resultsOf(answer).map(({ status }) => status)).toEqual([200, 412, 200]);
  });

  test.each(REFUSED_REQUESTS)('%s: refused as a whole', async (_case, body, errors) => {
    const answer = await registry().ask('POST', '/clients/bulk', { body });
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
  });

  if (isThorough) {
    const bulkAgain = async (operations: unknown) => untilServed(async () => bulk(operations));

    test('1,000 Clients of more than 1 MiB are registered, disabled and deleted', async () => {
      const ids = Array.from({ length: 1000 }, () => nextId());
      const uris = Array.from({ length: 30 }, (_, at) => `https://shop.example/cb/${at}/${'x'.repeat(20)}`);
      const made = await bulkAgain(
        ids.map((id) => ({
          op: 'register',
          client: registration({ preferred_client_id: id, redirect_uris: uris }),
        })),
      );
      expect(made.body).toMatchObject({ succeeded: 1000, failed: 0 });
      expect(new Set(resultsOf(made).map((result) => result['client_secret'])).size).toBe(1000);
      const disabled = await bulkAgain(ids.map((client_id) => ({ op: 'disable', client_id })));
      expect(disabled.body).toMatchObject({ succeeded: 1000 });
      expect((await read(ids[500] ?? '')).body).toMatchObject({ enabled: false, redirect_uris: uris });
      expect((await bulkAgain(ids.map((client_id) => ({ op: 'delete', client_id })))).status).toBe(200);
      expect((await read(ids[999] ?? '')).status).toBe(404);
    });
  }

  test('two concurrent requests with the same Clients in opposite order both succeed', async () => {
    const ids = [await register(), await register(), await register()];
    const patches = (name: string, order: string[]) =>
      bulk(order.map((client_id) => ({ op: 'update', client_id, patch: { client_name: name } })));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        patches(`up ${round}`, ids),
        patches(`down ${round}`, ids.toReversed()),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    const names = await Promise.all(ids.map(async (id) => (await read(id)).body['client_name']));
    expect(new Set(names).size).toBe(1);
  });

  test('a token has two requests at a time; the others get 429', async () => {
    const ids: string[] = [];
    while (ids.length < 20) ids.push(await register());
    const disable = async () => bulk(ids.map((client_id) => ({ op: 'disable', client_id })));
    const statuses = (await Promise.all(Array.from({ length: 10 }, disable))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await disable()).status).toBe(200);
  });

  test('requires the scope clients:write', async () => {
    const { body } = await registry().ask('POST', '/token', {
      body: { name: 'reader', scopes: ['clients:read'] },
    });
    const sent = { body: { operations: [{ op: 'delete', client_id: 'x' }] } };
    const { status } = await ask(`${registry().url}/clients/bulk`, 'POST', String(body['token']), sent);
    expect(status).toBe(403);
  });
});
