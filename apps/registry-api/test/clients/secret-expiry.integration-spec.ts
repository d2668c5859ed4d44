import { SecretNotices } from '../../src/secret-notices/secret-notices.js';
import { onPostgres } from '../on-both-databases.js';
import { recorded } from '../security-events/recorded-events.js';
import { type Answer, pathOf, registration, type RunningRegistry, type Sent } from '../running-registry.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** For never, in seconds since 1970: what other products export, and what no Date and no text of a date can hold. */
const ENDLESS = [Number('9223372036854775807'), 8.64e12 + 1, 253_402_300_800];

const CONFIDENTIAL = { token_endpoint_auth_method: 'client_secret_basic' };

async function importEnding({ ask }: RunningRegistry, end: number): Promise<Answer> {
  const secret = { client_id: `ends-${end}`, client_secret: 'Xk29-vTzq7LmPw4sRb81YdNc' };
  const body = `${JSON.stringify({ ...registration(CONFIDENTIAL), ...secret, client_secret_expires_at: end })}\n`;
  const headers = { 'content-type': 'application/x-ndjson' };
  expect(await ask('POST', '/clients/import', { body, headers })).toMatchObject({ status: 200 });
  return ask('GET', pathOf(secret.client_id));
}

onPostgres(
  (registry) => {
    const register = async (query = '', sent?: Sent): Promise<Answer> =>
      registry().ask('POST', `/client${query}`, { body: registration(CONFIDENTIAL), ...sent });
    const reset = async (clientId: unknown, body: unknown): Promise<Answer> =>
      registry().ask('POST', `${pathOf(clientId)}/reset_secret`, { body });
    const check = async (clientId: unknown, client_secret: unknown) =>
      (await registry().ask('POST', `${pathOf(clientId)}/check/secret`, { body: { client_secret } })).body;
    const daysLeft = ({ body }: Answer) => {
      const [newest] = body['client_secrets'] as { expires_at?: string }[];
      return newest?.expires_at && Math.round((Date.parse(newest.expires_at) - Date.now()) / DAY_MS);
    };
    const sql = async (text: string, clientId: unknown) => registry().dataSource.query(text, [clientId]);
    const announce = async () => registry().service.app.get(SecretNotices).announce(new Date());
    const kindsOf = async (clientId: unknown) => {
      const { body } = await registry().ask('GET', `${pathOf(clientId)}/history`);
      return (body['changes'] as { kind: string }[]).map(({ kind }) => kind);
    };

    test('without a wish, a secret lives as long as the registry allows', async () => {
      const registered = await register();
      expect(daysLeft(registered)).toBe(180);
      expect(daysLeft(await reset(registered.body['client_id'], {}))).toBe(180);
      const bulk = await registry().ask('POST', '/clients/bulk', {
        body: { operations: [{ op: 'register', client: registration(CONFIDENTIAL) }] },
      });
      const [{ client_id }] = bulk.body['results'] as [{ client_id: string }];
      expect(daysLeft(await registry().ask('GET', pathOf(client_id)))).toBe(180);
    });

    test('a registration and a rotation may ask for a shorter life, which the response tells', async () => {
      const registered = await register('?secret_expires_in=90%20d');
      expect(registered.status).toBe(201);
      expect(daysLeft(registered)).toBe(90);
      expect(registered.body['client_secret_expires_at']).toBe(
        Math.floor(
          Date.parse((registered.body['client_secrets'] as [{ expires_at: string }])[0].expires_at) / 1000,
        ),
      );
      const rotated = await reset(registered.body['client_id'], { expires_in: 7 * 86_400, overlap: '1 h' });
      expect(daysLeft(rotated)).toBe(7);
      expect(rotated.body['client_secrets']).toHaveLength(2);
    });

    test.each([
      ['a longer one ends when it would have ended anyway', '1%20h', '24 h', HOUR_MS],
      ['a shorter one ends it', '24%20h', '1 h', HOUR_MS],
    ])('a secret that expires during an overlap: %s', async (_case, lifetime, overlap, leftMs) => {
      const { body } = await register(`?secret_expires_in=${lifetime}`);
      const path = pathOf(body['client_id']);
      const rotated = await reset(body['client_id'], { overlap });
      const { client_secret: _, ...shown } = rotated.body;
      expect(shown).toEqual((await registry().ask('GET', path)).body);
      const [, former] = shown['client_secrets'] as { expires_at: string }[];
      expect(Math.abs(Date.parse(former!.expires_at) - Date.now() - leftMs)).toBeLessThan(60_000);
      const [event] = await recorded(registry(), `subject=${String(body['client_id'])}&kind=secret_rotated`);
      expect(event!.details['former_valid_until']).toBe(former!.expires_at);
    });

    test.each([
      ['a secret that has expired', async (id: unknown) => age(id, 181)],
      [
        'an imported secret whose hash is no longer accepted',
        async (id: unknown) =>
          sql(
            `UPDATE client_secret SET foreign_hash = '{}', foreign_scheme = 'bcrypt', foreign_until = now() WHERE client_id = $1`,
            id,
          ),
      ],
    ])('an overlap does not prolong %s', async (_case, end) => {
      const { body } = await register();
      await end(body['client_id']);
      const rotated = await reset(body['client_id'], { overlap: '24 h' });
      const { client_secret: _, ...shown } = rotated.body;
      expect(shown['client_secrets']).toHaveLength(1);
      expect(shown).toEqual((await registry().ask('GET', pathOf(body['client_id']))).body);
      const [event] = await recorded(registry(), `subject=${String(body['client_id'])}&kind=secret_rotated`);
      expect(event!.details['former_valid_until']).toBeNull();
    });

    test('a life beyond the policy is refused, naming the field and the limit', async () => {
      const registered = await register('?secret_expires_in=181%20d');
      expect(registered.status).toBe(400);
      expect(registered.body['errors']).toEqual([
        {
          field: '/secret_expires_in',
          code: 'duration_too_long',
          message: 'must be at most 15552000 seconds, the longest lifetime that this registry allows',
        },
      ]);
      const { body } = await register();
      expect((await reset(body['client_id'], { expires_in: '1 y' })).status).toBe(400);
      for (const expires_in of [0, -1, 'soon', '11 y', {}]) {
        const { status, body: problem } = await reset(body['client_id'], { expires_in });
        expect([status, JSON.stringify(problem)]).toEqual([
          400,
          expect.stringContaining('expires_in must be'),
        ]);
      }
    });

    test('from that instant the secret fails every check', async () => {
      const { body } = await register('?secret_expires_in=90%20d');
      expect(await check(body['client_id'], body['client_secret'])).toMatchObject({ valid: true });
      await sql('UPDATE client_secret SET expires_at = now() WHERE client_id = $1', body['client_id']);
      expect(await check(body['client_id'], body['client_secret'])).toEqual({ valid: false });
    });

    test('one Idempotency-Key with two lives is two requests', async () => {
      const keyed = { headers: { 'Idempotency-Key': 'one-life-only' }, body: registration(CONFIDENTIAL) };
      expect((await register('?secret_expires_in=90%20d', keyed)).status).toBe(201);
      expect((await register('?secret_expires_in=90%20d', keyed)).status).toBe(201);
      expect((await register('?secret_expires_in=91%20d', keyed)).status).toBe(409);
      expect((await register('', keyed)).status).toBe(409);
    });

    test('an expiring secret is announced once, as a change by the registry, and the ETag changes', async () => {
      await announce();
      const { body } = await register('?secret_expires_in=90%20d');
      const id = body['client_id'];
      expect(await announce()).toBe(0);
      await age(id, 61);
      const before = await registry().ask('GET', pathOf(id));
      expect(await announce()).toBe(1);
      expect(await announce()).toBe(0);
      expect(await kindsOf(id)).toEqual(['secret_expiring', 'registered']);
      const after = await registry().ask('GET', pathOf(id));
      expect(after.body).toEqual(before.body);
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
      const { body: feed } = await registry().ask('GET', '/clients/changes?newest=1');
      expect(feed['changes']).toMatchObject([
        { client_id: id, kind: 'secret_expiring', actor: { id: 'registry', name: 'registry' } },
      ]);
      expect(await (await fetch(`${registry().url}/metrics`)).text()).toMatch(
        /client_secrets_expiring\{.*\} 1\n/,
      );
    });

    test('neither a secret that was rotated nor one that nothing checks is announced', async () => {
      const { body } = await register('?secret_expires_in=90%20d');
      await age(body['client_id'], 61);
      await reset(body['client_id'], { overlap: '7 d' });
      const { body: open } = await registry().ask('POST', '/client', { body: registration() });
      await age(open['client_id'], 179);
      expect(await announce()).toBe(0);
    });

    test('a short-lived secret is announced in the last third of its life', async () => {
      const { body } = await register('?secret_expires_in=9%20d');
      expect(await announce()).toBe(0);
      await age(body['client_id'], 7);
      expect(await announce()).toBe(1);
    });

    test.each(ENDLESS)(
      'an imported secret that expires in %d lives as long as the registry allows',
      async (end) => {
        expect(daysLeft(await importEnding(registry(), end))).toBe(180);
      },
    );

    /** As if the Client's newest secret were older. */
    async function age(clientId: unknown, days: number): Promise<void> {
      const moved = ['created_at', 'expires_at'].map((name) => `${name} = ${name} - interval '${days} days'`);
      await sql(`UPDATE client_secret SET ${moved.join(', ')} WHERE client_id = $1`, clientId);
    }
  },
  {
    ...{
      SECRET_MAX_LIFETIME: '180 d',
      METRICS: 'public',
      TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic',
    },
    SECRET_IMPORT: 'allowed',
  },
);

onPostgres(
  (registry) => {
    test.each(ENDLESS)(
      'without a longest lifetime, an imported secret that expires in %d never does',
      async (end) => {
        const { body } = await importEnding(registry(), end);
        expect(body['client_secret_expires_at']).toBe(0);
      },
    );
  },
  { SECRET_IMPORT: 'allowed', TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic' },
);
