import { eventually } from '@svc/test-servers';
import { ApiDocument } from '../api-document.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import {
  type Answer,
  ask,
  registration,
  type RunningRegistry,
  runRegistry,
  type Sent,
} from '../running-registry.js';
import { acceptedRow, batchOf } from '../usage/recorded.js';
import {
  BODIES,
  DELETED,
  LISTS,
  MARK,
  NDJSON,
  NOTHING_TO_SEE,
  OWN_TOKEN,
  QUERIES,
  RESTRICTIONS,
  SCOPES,
  STATUSES,
  THEIRS,
  UNKNOWN,
} from './restricted-routes.js';

/*
 * Every route of the API document with every kind of restricted token. Each text of the other team contains a mark, which
 * nothing that the restricted token receives may contain, unless the request did. A new route without a verdict fails.
 */

/** Answers to invalid tokens that the registry delays at a time; it refuses more with 429. */
const MAX_DELAYED = 20;

/** Routes that answer without a token, too. */
const OPEN = /^GET \/health/;

let registry: RunningRegistry;
let document: ApiDocument;
let theirTokenId: string;
let theirState: Answer;

beforeAll(async () => {
  registry = await runRegistry({ REGISTRATION: 'token' });
  document = await ApiDocument.of(registry);
  const made = await registry.ask('POST', '/token', { body: { name: `${MARK} token`, scopes: SCOPES } });
  theirTokenId = String(made.body['id']);
  const theirs = {
    preferred_client_id: THEIRS,
    client_name: `${MARK} shop`,
    redirect_uris: [`https://${MARK}.example/cb`],
    cookie_entry_uri: `https://${MARK}.example/entry`,
    ...{ contacts: [`${MARK}@example.com`], description: MARK, labels: { team: MARK, [MARK]: 'x' } },
  };
  const send = async (method: string, path: string, sent?: Sent) =>
    ask(registry.url + path, method, String(made.body['token']), sent);
  await send('POST', '/client', { body: theirs });
  await send('POST', '/client', { body: { ...theirs, preferred_client_id: DELETED } });
  await send('DELETE', `/client/${DELETED}`);
  const ours = registration({ preferred_client_id: 'ours-1', labels: { team: 'ours' } });
  await registry.ask('POST', '/client', { body: ours });
  theirState = await registry.ask('GET', `/client/${THEIRS}`);
}, DATABASE_START_MS);
afterAll(async () => registry.close());

const create = async (restrictions: object, token = registry.token, scopes = SCOPES) =>
  ask(`${registry.url}/token`, 'POST', token, { body: { name: 'restricted', scopes, ...restrictions } });
const tokenWith = async (restrictions: object, scopes = SCOPES): Promise<string> => {
  const { status, body } = await create(restrictions, registry.token, scopes);
  expect([restrictions, status]).toEqual([restrictions, 201]);
  return String(body['token']);
};
const textOf = async (path: string, token: string): Promise<string> => {
  const response = await fetch(registry.url + path, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, 200, expect.any(String)]);
  return text;
};
/** An answer without what every request differs in. */
const comparable = ({ status, body }: Answer, id: string) =>
  JSON.stringify({ status, body: { ...body, request_id: '', instance: '' } }).replaceAll(id, '<id>');

describe.each(Object.entries(RESTRICTIONS))('a token restricted to %s', (_name, restrictions) => {
  let token: string;
  beforeAll(async () => {
    token = await tokenWith(restrictions);
  });
  const send = async (method: string, path: string, sent?: Sent) =>
    ask(registry.url + path, method, token, sent);

  /** By operation. */
  const verdicts: Readonly<Record<string, () => Promise<void>>> = {
    'GET /audit': async () => {
      expect((await send('GET', '/audit')).status).toBe(403);
    },
    'GET /metrics': async () => {
      expect((await send('GET', '/metrics')).status).toBe(403);
    },
    'POST /client': async () => {
      const taken = registration({ preferred_client_id: THEIRS, labels: { team: 'ours' } });
      const { status, body } = await send('POST', '/client', { body: taken });
      const isOne = 'client_id' in restrictions;
      expect(status).toBe(isOne ? 400 : 409);
      if (!isOne) {
        expect(body['detail']).toBe(`A client '${THEIRS}' is already registered.`);
      }
      const outside = registration({ labels: { team: MARK }, preferred_client_id: 'new' });
      expect((await send('POST', '/client', { body: outside })).status).toBe(400);
    },
    'POST /clients/bulk': async () => {
      const operations = [
        { op: 'update', client_id: THEIRS, patch: { client_name: 'x' } },
        ...['enable', 'disable', 'delete'].map((op) => ({ op, client_id: THEIRS })),
      ];
      const { body } = await send('POST', '/clients/bulk', { body: { operations, atomic: false } });
      expect((body['results'] as { status: number }[]).map(({ status }) => status)).toEqual([
        404, 404, 404, 404,
      ]);
      const register = {
        op: 'register',
        client: registration({ preferred_client_id: THEIRS, labels: { team: 'ours' } }),
      };
      for (const dry_run of [true, false]) {
        const answer = await send('POST', '/clients/bulk', { body: { operations: [register], dry_run } });
        expect(answer.status).toBe('client_id' in restrictions ? 400 : 409);
      }
    },
    'POST /clients/jobs': async () => {
      const body = { action: 'disable', filter: { label: [`team:${MARK}`] }, client_ids: [THEIRS] };
      const { headers } = await send('POST', '/clients/jobs', { body });
      const path = headers.get('location') ?? '';
      await eventually(async () => expect((await send('GET', path)).body).toHaveProperty('finished_at'));
      expect((await send('GET', `${path}/results`)).body['results']).toMatchObject([
        { client_id: THEIRS, result: 'failed', problem: { error: 'not_found' } },
      ]);
    },
    'GET /clients/jobs': async () => {
      const theirs = Number(await jobOfOthers());
      const { jobs } = (await send('GET', '/clients/jobs?dry_runs=true')).body as { jobs: { id: number }[] };
      expect(jobs.map(({ id }) => id)).not.toContain(theirs);
    },
    'POST /clients/explain': async () => {
      const explained = async (id: string) =>
        send('POST', '/clients/explain', { body: { url: `https://as.example/?client_id=${id}` } });
      expect(comparable(await explained(THEIRS), THEIRS)).toBe(comparable(await explained(UNKNOWN), UNKNOWN));
    },
    'POST /clients/import': async () => {
      const line = JSON.stringify(registration({ client_id: THEIRS }));
      for (const query of ['?dry_run=true', '']) {
        const answer = await send('POST', `/clients/import${query}`, { body: line, headers: NDJSON });
        expect(answer.status).toBe(400);
        expect(String(answer.body['detail'])).not.toContain(`${MARK} shop`);
      }
    },
    'POST /clients/usage': async () => {
      const report = async (id: string) =>
        send('POST', '/clients/usage', { body: batchOf([acceptedRow(id)]) });
      expect(comparable(await report(THEIRS), THEIRS)).toBe(comparable(await report(UNKNOWN), UNKNOWN));
      expect((await registry.ask('GET', `/client/${THEIRS}/usage`)).body['periods']).toEqual([]);
    },
    'POST /register': async () => {
      const { status, body } = await send('POST', '/register', { body: registration() });
      if ('client_id' in restrictions) expect(status).toBe(400);
      else if (Array.isArray(restrictions.selector.team)) expect(status).toBe(400);
      else {
        const path = `/client/${String(body['client_id'])}`;
        expect((await registry.ask('GET', path)).body['labels']).toEqual({ team: 'ours' });
        await send('DELETE', path);
      }
    },
    'POST /token': async () => {
      for (const wider of [{ selector: { team: MARK } }, { client_id: THEIRS }]) {
        const isNarrower = 'client_id' in wider !== 'client_id' in restrictions;
        expect((await create(wider, token, ['clients:read'])).status).toBe(isNarrower ? 201 : 403);
      }
      const { body } = await create({}, token, ['clients:read']);
      const { selector, client_id } = body;
      expect({
        ...(selector !== undefined && { selector }),
        ...(client_id !== undefined && { client_id }),
      }).toEqual(restrictions);
    },
    'GET /token/{id}': async () => {
      const [one, other] = [`/token/${theirTokenId}`, '/token/0123456789abcdef'];
      expect(comparable(await send('GET', one), one)).toBe(comparable(await send('GET', other), other));
    },
    'DELETE /token/{id}': async () => {
      expect((await send('DELETE', `/token/${theirTokenId}?descendants=revoke`)).status).toBe(404);
      expect((await registry.ask('GET', `/token/${theirTokenId}`)).body['revoked_at']).toBeNull();
    },
  };

  const verdictOf = (operation: string): (() => Promise<void>) | undefined => {
    const [method = '', path = ''] = operation.split(' ');
    if (verdicts[operation]) return verdicts[operation];
    if (NOTHING_TO_SEE.includes(operation)) {
      return async () => expect(JSON.stringify((await send(method, path)).body)).not.toContain(MARK);
    }
    if (LISTS[operation]) return async () => seesNothing(LISTS[operation] ?? []);
    if (OWN_TOKEN.test(operation)) {
      return async () => {
        const sent = method === 'PUT' ? { body: registration() } : {};
        expect((await send(method, `/register/${THEIRS}`, sent)).status).toBe(401);
      };
    }
    if (path.startsWith('/clients/jobs/{id}')) {
      return async () => {
        const [theirs, unknown] = [await jobOfOthers(), '999999'];
        const to = (id: string) => path.replace('{id}', id);
        expect((await send(method, to(theirs))).status).toBe(404);
        expect(comparable(await send(method, to(theirs)), to(theirs))).toBe(
          comparable(await send(method, to(unknown)), to(unknown)),
        );
      };
    }
    const [, root] = /^(.*\/){client_id}/.exec(path) ?? [];
    const hidden = { '/client/': THEIRS, '/deleted-clients/': DELETED }[root ?? ''];
    if (hidden === undefined) return undefined;
    return async () => {
      const to = (id: string) => path.replace('{client_id}', id) + (QUERIES[operation] ?? '');
      const [theirs, unknown] = [
        await send(method, to(hidden), BODIES[operation]),
        await send(method, to(UNKNOWN), BODIES[operation]),
      ];
      expect([operation, theirs.status]).toEqual([operation, STATUSES[operation] ?? 404]);
      expect(comparable(theirs, hidden)).toBe(comparable(unknown, UNKNOWN));
    };
  };

  const jobOfOthers = async (): Promise<string> => {
    const body = { action: 'enable', filter: {}, client_ids: [THEIRS], dry_run: true };
    return String((await registry.ask('POST', '/clients/jobs', { body })).body['id']);
  };

  const seesNothing = async (paths: readonly string[]) => {
    for (const path of paths) {
      expect([path, await textOf(path, registry.token)]).toEqual([path, expect.stringContaining(MARK)]);
      expect([path, await textOf(path, token)]).toEqual([path, expect.not.stringContaining(MARK)]);
    }
  };

  test('every route of the API document has a verdict, which holds', async () => {
    const lacking = [...document.operations.keys()].filter((operation) => !verdictOf(operation));
    expect(lacking).toEqual([]);
    for (const operation of document.operations.keys()) await verdictOf(operation)?.();
    const now = await registry.ask('GET', `/client/${THEIRS}`);
    expect([now.headers.get('etag'), now.body]).toEqual([theirState.headers.get('etag'), theirState.body]);
  });

  test('totals and statistics count only what it reaches', async () => {
    expect((await send('GET', '/client?count=true')).body).toMatchObject({ total: 1, total_is_exact: true });
    expect((await send('GET', '/clients/recommendations')).body).toMatchObject({ examined: 1 });
    expect((await send('GET', '/clients/stats')).body).toMatchObject({
      clients: 1,
      labels: [{ label: 'team:ours', clients: 1 }],
      managers: [{ managed_by: 'users', clients: 1 }],
    });
  });

  test('its own Client it reads, changes and finds in history and feed', async () => {
    expect((await send('GET', '/client/ours-1')).status).toBe(200);
    const labels = 'client_id' in restrictions ? {} : null;
    const patched = await send('PATCH', '/client/ours-1', { body: { client_name: 'Renamed', labels } });
    expect(patched.body).toMatchObject({ client_name: 'Renamed', labels: { team: 'ours' } });
    await send('PATCH', '/client/ours-1', { body: { client_name: 'Shop' } });
    const { body } = await send('GET', '/client/ours-1/history');
    expect((body['changes'] as object[]).length).toBeGreaterThan(2);
    const feed = await send('GET', '/clients/changes');
    const ids = (feed.body['changes'] as { client_id: string }[]).map(({ client_id }) => client_id);
    expect(new Set(ids)).toContain('ours-1');
  });
});

test.each([
  ['from elsewhere', async () => tokenWith({ networks: ['203.0.113.0/24', '2001:db8::/32'] })],
  [
    'that has reached max_uses',
    async () => {
      const scopes = SCOPES.filter((scope) => scope !== 'tokens:write');
      const token = await tokenWith({ max_uses: 2 }, scopes);
      expect((await ask(`${registry.url}/client`, 'GET', token)).status).toBe(200);
      expect((await ask(`${registry.url}/metrics`, 'GET', token)).status).toBe(403);
      return token;
    },
  ],
])('a token %s opens no route', async (_name, make) => {
  const token = await make();
  const operations = [...document.operations]
    .filter(([operation, { security }]) => security && !OPEN.test(operation) && !OWN_TOKEN.test(operation))
    .map(([operation]) => operation);
  expect(operations.length).toBeGreaterThan(40);
  const answerTo = async (operation: string) => {
    const [method = '', path = ''] = operation.split(' ');
    const { status } = await ask(registry.url + path.replace(/\{\w+\}/, 'ours-1'), method, token);
    return [operation, status];
  };
  while (operations.length > 0) {
    const some = operations.splice(0, MAX_DELAYED);
    expect(await Promise.all(some.map(answerTo))).toEqual(some.map((operation) => [operation, 401]));
  }
});
