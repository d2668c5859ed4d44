import { onBothDatabases } from '../on-both-databases.js';
import { type Answer, pathOf, registration } from '../running-registry.js';

type Row = Record<string, unknown>;

const MEBIBYTE = 1024 * 1024;

onBothDatabases((registry) => {
  const exported = async () => {
    const headers = { authorization: `Bearer ${registry().token}` };
    const response = await fetch(`${registry().url}/clients/export`, { headers });
    expect(response.status).toBe(200);
    return response.text();
  };
  const send = async (body: string, query = ''): Promise<Answer> =>
    registry().ask('POST', `/clients/import${query}`, {
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    });
  const load = async (records: readonly unknown[], query = '') =>
    send(records.map((record) => `${JSON.stringify(record)}\n`).join(''), query);
  const record = (clientId: string, overrides: Row = {}) =>
    registration({ client_id: clientId, ...overrides });
  const read = async (clientId: string): Promise<Answer> => registry().ask('GET', pathOf(clientId));
  const kindsOf = async (clientId: string): Promise<unknown[]> => {
    const { body } = await registry().ask('GET', `${pathOf(clientId)}/history`);
    return ((body['changes'] as Row[] | undefined) ?? []).map(({ kind }) => kind).reverse();
  };
  const count = async () => (await exported()).split('\n').length - 1;

  beforeEach(async () => {
    await registry().dataSource.query('DELETE FROM client');
  });

  test('registers, updates, enables and disables, and reports it, with new secrets', async () => {
    await load([record('a'), record('b'), record('c'), record('d', { enabled: false })]);
    const answer = await load([
      record('a'),
      record('b', { client_name: 'Other', enabled: false }),
      record('d', { enabled: true }),
      record('e'),
      record('f', { enabled: false }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const secret = expect.stringMatching(/^[\w-]{43}$/) as string;
    expect(answer.body).toEqual({
      ...{ dry_run: false, prune: false },
      ...{ registered: 2, updated: 1, enabled: 1, disabled: 2, deleted: 0, unchanged: 1 },
      taken_over: 0,
      clients: [
        { client_id: 'b', line: 2, changes: ['updated', 'disabled'] },
        { client_id: 'd', line: 3, changes: ['enabled'] },
        { client_id: 'e', line: 4, changes: ['registered'], client_secret: secret },
        { client_id: 'f', line: 5, changes: ['registered', 'disabled'], client_secret: secret },
      ],
    });
    expect((await read('b')).body).toMatchObject({ client_name: 'Other', enabled: false });
    expect((await read('c')).status).toBe(200);
    expect((await read('d')).body).toMatchObject({ enabled: true });
    expect((await read('f')).body).toMatchObject({ enabled: false });
    expect(await kindsOf('f')).toEqual(expect.arrayContaining(['registered', 'disabled']));
    const made = (answer.body['clients'] as Row[])[2]?.['client_secret'];
    const checked = await registry().ask('POST', `${pathOf('e')}/check/secret`, {
      body: { client_secret: made },
    });
    expect(checked.body).toMatchObject({ valid: true });
  });

  test('importing an export changes nothing', async () => {
    await load(
      [
        record('a', { enabled: false, session_expiration: '8 h', client_uri: 'https://shop.example/' }),
        record('b c/d', { code_challenge_method: 'S256', cookie_domain: 'shop.example' }),
        record('e', { redirect_uri_validation_method: 'none', client_name: '=1+1 "ü" \u2028' }),
      ],
      '?set=s',
    );
    await registry().ask('POST', `${pathOf('a')}/reset_secret`, { body: { overlap: '1 h' } });
    const [before, etag] = [await exported(), (await read('a')).headers.get('etag')];
    for (const query of ['?set=s', '?set=s&prune=true', '?set=s&dry_run=true&prune=true']) {
      const { status, body } = await send(before, query);
      expect([query, status, body['unchanged'], body['clients']]).toEqual([query, 200, 3, []]);
    }
    expect(await exported()).toBe(before);
    expect((await read('a')).headers.get('etag')).toBe(etag);
  });

  test('importing an export restores deleted Clients, with new secrets', async () => {
    await load([record('a', { enabled: false }), record('b', { client_name: 'B' })]);
    const before = await exported();
    await registry().ask('DELETE', pathOf('a'));
    const { body } = await send(before);
    expect(body).toMatchObject({ registered: 1, disabled: 1, unchanged: 1 });
    const stable = (text: string) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Row)
        .map(({ client_id: id, client_name: name, enabled, cookie_name: cookie }) => [
          id,
          name,
          enabled,
          cookie,
        ]);
    expect(stable(await exported())).toEqual(stable(before));
  });

  test('a dry run reports the plan and does nothing', async () => {
    await load([record('a'), record('b')], '?set=s');
    const before = await exported();
    const answer = await load(
      [record('a', { client_name: 'Other' }), record('c')],
      '?set=s&dry_run=true&prune=true',
    );
    expect(answer.body).toEqual({
      ...{ dry_run: true, prune: true, set: 's', taken_over: 0 },
      ...{ registered: 1, updated: 1, enabled: 0, disabled: 0, deleted: 1, unchanged: 0 },
      clients: [
        { client_id: 'a', line: 1, changes: ['updated'] },
        { client_id: 'c', line: 2, changes: ['registered'] },
        { client_id: 'b', changes: ['deleted'] },
      ],
    });
    expect(await exported()).toBe(before);
  });

  test('an empty import does nothing, and never prunes', async () => {
    expect((await send('')).body).toMatchObject({ registered: 0, unchanged: 0, clients: [] });
    expect((await send('\n', '?set=s&prune=true')).status).toBe(200);
    await load([record('a')], '?set=s');
    const refused = await send(' \r\n\n', '?set=s&prune=true');
    expect(refused.status).toBe(400);
    expect(refused.body['errors']).toEqual([
      {
        field: '/lines',
        code: 'empty',
        message: 'the body contains no client, so prune would delete all of the set',
      },
    ]);
    expect(await count()).toBe(1);
  });

  test('every violation is reported at its line, and nothing is imported', async () => {
    const lines = [
      JSON.stringify(record('good')),
      '',
      '{"client_id":',
      JSON.stringify(record('a', { redirect_uris: ['https://a.example/cb', 'https://a.example/#f'] })),
      JSON.stringify(record('good')),
      JSON.stringify(registration()),
      JSON.stringify(record('b', { enabled: 'yes', client_secret: 'hunter2' })),
      '[]',
      JSON.stringify(record('features')),
      '{"client_id":"x","client_id":"y"}',
      JSON.stringify(record('c', { client_name: 'x'.repeat(MEBIBYTE) })),
      JSON.stringify(record('e', { client_id: 7 })),
    ];
    const answer = await send(lines.join('\r\n'));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({
      error: 'invalid_client_metadata',
      detail: expect.stringMatching(/^Nothing was imported: lines\/3: the line is not valid JSON/) as string,
    });
    expect(answer.body['errors']).toMatchObject([
      { field: '/lines/3', code: 'json', message: 'the line is not valid JSON' },
      { field: '/lines/4/redirect_uris/1' },
      { field: '/lines/5/client_id', code: 'duplicate', message: 'the client is already in line 1' },
      { field: '/lines/6/client_id', code: 'required', message: 'client_id is required in an import' },
      { field: '/lines/7/enabled', code: 'type', message: 'enabled must be true or false' },
      { field: '/lines/7/client_secret', code: 'server_owned' },
      { field: '/lines/8', code: 'type', message: 'a client must be a JSON object' },
      { field: '/lines/9/client_id', code: 'reserved' },
      { field: '/lines/10', code: 'json', message: 'the line has the member "client_id" twice' },
      { field: '/lines/11', code: 'json', message: 'the line is longer than 1 MiB' },
      { field: '/lines/12/client_id', code: 'type' },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    expect(await count()).toBe(0);
  });

  test('violations are reported in line order, whatever their kind', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => JSON.stringify(record(`c${index}`)));
    const [nameless, broken] = [
      [190, 199, 203, 401],
      [1, 200, 205, 399, 449],
    ];
    for (const index of nameless) lines[index] = JSON.stringify(record(`c${index}`, { client_name: '' }));
    for (const index of broken) lines[index] = '{';
    const { body } = await send(lines.join('\n'));
    const places = (body['errors'] as Row[]).map(({ field }) => String(field).split('/')[2]);
    expect(places).toEqual(['2', '191', '200', '201', '204', '206', '400', '402', '450']);
    expect(await count()).toBe(0);
  });

  test('beyond 200 violations, the rest is counted', async () => {
    const good = Array.from({ length: 250 }, (_, index) => record(`good-${index}`));
    const bad = Array.from({ length: 450 }, (_, index) => record(`bad-${index}`, { client_name: '' }));
    const { status, body } = await load([...good, ...bad]);
    const errors = body['errors'] as Row[];
    expect([status, errors.length]).toEqual([400, 201]);
    expect(errors[0]).toMatchObject({ field: '/lines/251/client_name', code: 'too_short' });
    expect(errors[200]).toEqual({
      field: '/lines',
      code: 'more_problems',
      message: 'there are 250 more violations',
    });
    expect(await count()).toBe(0);
  });

  test('more Clients than a batch are imported together, and follow each other in the feed', async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `c${String(index).padStart(4, '0')}`);
    const from = (await registry().ask('GET', '/clients/changes?limit=1')).body['last_seq'];
    const { body } = await load(
      ids.map((id) => record(id, { client_name: id })),
      '?set=s',
    );
    expect(body).toMatchObject({ registered: 1_001 });
    expect(await count()).toBe(1_001);
    const page = await registry().ask('GET', `/clients/changes?since=${String(from)}&limit=500`);
    expect((page.body['changes'] as Row[]).map(({ client_id: id }) => id)).toEqual(ids.slice(0, 500));
    const pruned = await load([record('c0500', { client_name: 'c0500' })], '?set=s&prune=true');
    expect(pruned.body).toMatchObject({ deleted: 1_000, unchanged: 1 });
  });

  test('Clients imported after all were deleted can be read, though the statistics say that there are none', async () => {
    const records = Array.from({ length: 1_001 }, (_, index) => record(`c${index}`));
    await load(records);
    await registry().dataSource.query('DELETE FROM client');
    await registry().dataSource.query('ANALYZE');
    await load(records);
    expect(await count()).toBe(1_001);
    const { status } = await registry().ask('GET', '/clients/changes?limit=500');
    expect(status).toBe(200);
  });

  test('a declaration may repeatedly give its id as preferred_client_id', async () => {
    const declaration = registration({ preferred_client_id: 'mine' });
    expect((await load([declaration])).body).toMatchObject({ registered: 1 });
    expect((await load([declaration])).body).toMatchObject({ unchanged: 1 });
  });

  test('unknown and invalid parameters are rejected by name', async () => {
    expect((await send('', '?prune=yes')).body['errors']).toMatchObject([
      { field: expect.stringContaining('prune') as string, message: 'prune must be true or false' },
    ]);
    for (const count of ['-1', '1e3', '']) {
      expect((await send('', `?expected_deleted=${count}`)).status).toBe(400);
    }
    expect((await send('', '?dryrun=true')).status).toBe(400);
    expect((await send('', '?set=-')).status).toBe(400);
  });
});
