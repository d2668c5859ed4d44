import { onPostgres } from '../on-both-databases.js';
import { type Answer, pathOf, registration } from '../running-registry.js';

const DANGEROUS =
  "'javascript:alert(1)' must not have a scheme that leads to scripts or files, such as javascript, data, file or view-source (RFC 8252 section 7.1)";

onPostgres((registry) => {
  const register = async (overrides?: Record<string, unknown>): Promise<Answer> =>
    registry().ask('POST', '/client', { body: registration(overrides) });
  const patch = async (clientId: unknown, body: unknown, headers: Record<string, string> = {}) =>
    registry().ask('PATCH', pathOf(clientId), {
      body,
      headers: { 'content-type': 'application/merge-patch+json', ...headers },
    });
  const etagOf = (answer: Answer) => answer.headers.get('etag') ?? '';
  const kindsOf = async (clientId: unknown): Promise<unknown> =>
    registry().dataSource.query('SELECT kind FROM client_change WHERE client_id = $1 ORDER BY seq', [
      clientId,
    ]);

  test('changes the fields in the body and keeps the rest', async () => {
    const registered = await register({ code_challenge_method: 'S256', session_expiration: '2 h' });
    const { client_secret: _, ...before } = registered.body;
    const patched = await patch(before['client_id'], { client_name: 'Renamed' });
    expect(patched.status).toBe(200);
    expect(patched.body).toEqual({
      ...before,
      client_name: 'Renamed',
      updated_at: patched.body['updated_at'],
    });
    expect(etagOf(patched)).not.toBe(etagOf(registered));
    const read = await registry().ask('GET', pathOf(before['client_id']));
    expect([read.body, etagOf(read)]).toEqual([patched.body, etagOf(patched)]);
  });

  test('null restores the default, and a list replaces the whole list', async () => {
    const { body } = await register({
      redirect_uris: ['https://shop.example/a', 'https://shop.example/b'],
      code_challenge_method: 'S256',
      client_uri: 'https://shop.example/',
    });
    const patched = await patch(body['client_id'], {
      redirect_uris: ['https://shop.example/c'],
      code_challenge_method: null,
      client_uri: null,
    });
    expect(patched.body).toMatchObject({
      redirect_uris: ['https://shop.example/c'],
      code_challenge_method: 'none',
      warnings: [{ code: 'weak_pkce' }],
    });
    expect(patched.body).not.toHaveProperty('client_uri');
  });

  test('is accepted as application/json, too', async () => {
    const { body } = await register();
    const headers = { 'content-type': 'application/json' };
    expect((await patch(body['client_id'], { client_name: 'Renamed' }, headers)).status).toBe(200);
  });

  test('a merge patch is not accepted by other methods', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { status, body } = await registry().ask('POST', '/client', { body: registration(), headers });
    expect(status).toBe(415);
    expect(body['detail']).toBe('This endpoint does not support the Content-Type of the body.');
  });

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['the present values', { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] }],
    ['null for what has none', { client_uri: null }],
    ['what the server owns, unchanged', { enabled: true, cookie_domain: null }],
    ['secrets as they were once read', { client_secrets: [{ hint: 'abcd', last_used_at: 'long ago' }] }],
  ])('a patch with %s leaves Client, ETag and history as they are', async (_case, body) => {
    const registered = await register();
    const id = registered.body['client_id'];
    const { client_secret: _, ...before } = registered.body;
    const patched = await patch(id, body);
    expect(patched).toMatchObject({ status: 200, body: before });
    expect(etagOf(patched)).toBe(etagOf(registered));
    expect(await kindsOf(id)).toEqual([{ kind: 'registered' }]);
  });

  test.each<[string, unknown, object]>([
    [
      'an invalid value',
      { redirect_uris: ['javascript:alert(1)'] },
      {
        error: 'invalid_redirect_uri',
        detail: `redirect_uris/0: ${DANGEROUS}`,
        errors: [{ field: '/redirect_uris/0', code: 'uri_dangerous_scheme', message: DANGEROUS }],
      },
    ],
    [
      'the unsetting of what is required',
      { client_name: null },
      {
        error: 'invalid_client_metadata',
        errors: [{ field: '/client_name', code: 'required', message: 'client_name is required' }],
      },
    ],
    [
      'an unknown field',
      { client_nmae: 'x' },
      {
        errors: [
          {
            field: '/client_nmae',
            code: 'unknown_field',
            message: "'client_nmae' is not a field of a client; did you mean client_name?",
          },
        ],
      },
    ],
    [
      'another state',
      { enabled: false },
      {
        errors: [
          {
            field: '/enabled',
            code: 'server_owned',
            message: 'enabled is set by the registry; leave it out, or send its present value',
          },
        ],
      },
    ],
    ['a list', [], { errors: [{ field: '', code: 'type', message: 'a client must be a JSON object' }] }],
    ['null', null, { errors: [{ field: '', code: 'type', message: 'a client must be a JSON object' }] }],
  ])('%s is refused and changes nothing', async (_case, body, problem) => {
    const registered = await register();
    const id = registered.body['client_id'];
    const { status, headers, body: answer } = await patch(id, body);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer).toMatchObject(problem);
    expect(await kindsOf(id)).toEqual([{ kind: 'registered' }]);
  });

  test('the final state is validated, not the patch alone', async () => {
    const { body } = await register({ redirect_uri_validation_method: 'none' });
    const { status, body: answer } = await patch(body['client_id'], { response_types: ['token'] });
    expect(status).toBe(400);
    expect(answer['errors']).toEqual([
      expect.objectContaining({ field: expect.stringMatching(/^\/response_types/) as string }),
    ]);
  });

  test('accepts only the currently valid client_secret', async () => {
    const { body } = await register();
    const id = body['client_id'];
    expect((await patch(id, { client_secret: body['client_secret'] })).status).toBe(200);
    const wrong = await patch(id, { client_secret: 'x'.repeat(43) });
    expect(wrong.body).toMatchObject({ status: 400, errors: [{ field: '/client_secret' }] });
  });

  test('If-Match with an old ETag gets 412 and changes nothing, with the current one 200', async () => {
    const registered = await register();
    const id = registered.body['client_id'];
    const stale = await patch(id, { client_name: 'Renamed' }, { 'if-match': '"0"' });
    expect(stale.status).toBe(412);
    expect(stale.body).toMatchObject({
      error: 'invalid_request',
      detail: `The client '${String(id)}' has changed in the meantime; read it again.`,
    });
    expect(await kindsOf(id)).toEqual([{ kind: 'registered' }]);
    const current = { 'if-match': etagOf(registered) };
    expect((await patch(id, { client_name: 'Renamed' }, current)).status).toBe(200);
  });

  test.each(['42-9f86d081884c', '', 'W/x'])('If-Match: %s is refused, since it has no ETag', async (tag) => {
    const id = (await register()).body['client_id'];
    const { status, body } = await patch(id, { client_name: 'Renamed' }, { 'if-match': tag });
    expect([status, body['errors']]).toEqual([400, [expect.objectContaining({ field: '/If-Match' })]]);
    expect(await kindsOf(id)).toEqual([{ kind: 'registered' }]);
  });

  test('an unknown Client gets 404', async () => {
    const { status, body } = await patch('nobody', { client_name: 'x' });
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: 'not_found', detail: "There is no client 'nobody'." });
  });

  test('concurrent patches of different fields all take effect', async () => {
    const { body } = await register();
    const parts = [
      { client_name: 'Renamed' },
      { client_uri: 'https://shop.example/' },
      { code_challenge_method: 'S256' },
      { session_expiration: 60 },
      { login_uri: 'https://shop.example/login' },
    ];
    const answers = await Promise.all(parts.map((part) => patch(body['client_id'], part)));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
    const { body: after } = await registry().ask('GET', pathOf(body['client_id']));
    for (const part of parts) expect(after).toMatchObject(part);
  });

  test('the history has the state before and after', async () => {
    const { body } = await register();
    await patch(body['client_id'], { client_uri: 'https://shop.example/' });
    const [, change] = await registry().dataSource.query<{ before: object; after: object }[]>(
      'SELECT kind, before, after FROM client_change WHERE client_id = $1 ORDER BY seq',
      [body['client_id']],
    );
    expect(change).toMatchObject({ kind: 'updated', after: { client_uri: 'https://shop.example/' } });
    expect(change?.after).toMatchObject(change?.before ?? {});
    expect(change?.before).not.toHaveProperty('client_uri');
  });
});
