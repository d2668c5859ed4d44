import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { eventually } from '@svc/test-servers';
import { StreamAccess } from '../src/changes/stream-access.js';
import { metadataOf, store } from './list/stored-clients.js';
import { onBothDatabases } from './on-both-databases.js';
import { ask, pathOf, registration } from './running-registry.js';

/** Of about 10 kB each: more than all buffers between the database and a caller hold. */
const CLIENTS = 3_000;

const NDJSON = { accept: 'application/x-ndjson' };

onBothDatabases((registry) => {
  const newToken = async (scope: string, more: object = {}) => {
    const { body } = await registry().ask('POST', '/token', {
      body: { name: 'long', scopes: [scope], ...more },
    });
    return { id: String(body['id']), value: String(body['token']) };
  };
  const revoke = async ({ id }: { id: string }) =>
    expect(await registry().ask('DELETE', `/token/${id}`)).toMatchObject({ status: 200 });
  const begin = (method: string, path: string, { value }: { value: string }, headers: object = {}) =>
    request(registry().url + path, { method, headers: { authorization: `Bearer ${value}`, ...headers } });

  describe('an export', () => {
    beforeAll(async () => {
      // In a field that no search looks at.
      const jwks = { keys: [{ kty: 'RSA', n: 'x'.repeat(10_000), e: 'AQAB' }] };
      const times = { createdAt: new Date(), updatedAt: new Date() };
      await store(
        registry().dataSource,
        Array.from({ length: CLIENTS }, (_, at) => ({
          ...{ clientId: `long-${at}`, enabled: true, warnings: [], ...times },
          metadata: metadataOf({ jwks }),
        })),
      );
    });

    const linesOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString().split('\n').length - 1;

    /** Reads the first bytes, and the others once `meanwhile` has happened. */
    async function exported(token: { value: string }, meanwhile: () => Promise<unknown>) {
      const [response] = (await once(begin('GET', '/clients/export', token).end(), 'response')) as [
        IncomingMessage,
      ];
      const chunks: Buffer[] = [];
      await once(response, 'readable');
      await meanwhile();
      await sleep(1_100);
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
      } catch (error) {
        return { status: response.statusCode, lines: linesOf(chunks), error };
      }
      return { status: response.statusCode, lines: linesOf(chunks) };
    }

    test('is cut within a second of the end of its token', async () => {
      const token = await newToken('clients:read');
      const { status, lines, error } = await exported(token, async () => revoke(token));
      expect([status, error]).toEqual([200, expect.objectContaining({ code: 'ECONNRESET' })]);
      expect(lines).toBeLessThan(CLIENTS);
    });

    test.each([{}, { max_uses: 1 }])('is complete if its token is not revoked: %j', async (restriction) => {
      const token = await newToken('clients:read', restriction);
      const { status, lines, error } = await exported(token, async () => undefined);
      expect([status, error]).toEqual([200, undefined]);
      expect(lines).toBeGreaterThanOrEqual(CLIENTS);
    });
  });

  test.each(['/clients/export', '/clients/recommendations', '/audit'])(
    'the token is checked while %s is sent',
    async (path) => {
      const checked = jest.spyOn(StreamAccess.prototype, 'whileValid');
      const answer = await fetch(registry().url + path, {
        headers: { authorization: `Bearer ${registry().token}`, ...NDJSON },
      });
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
      expect(checked).toHaveBeenCalledTimes(1);
      checked.mockRestore();
    },
  );

  describe('an import', () => {
    let count = 0;

    /** Sends a line, and another once `meanwhile` has happened. */
    async function imported(token: { value: string }, meanwhile: () => Promise<unknown>) {
      const ids = [`imported-${(count += 1)}`, `imported-${(count += 1)}`];
      const [first, second] = ids.map((client_id) => `${JSON.stringify(registration({ client_id }))}\n`);
      const sending = begin('POST', '/clients/import', token, { 'content-type': 'application/x-ndjson' });
      sending.write(first);
      await sleep(300);
      await meanwhile();
      const [response] = (await once(sending.end(second), 'response')) as [IncomingMessage];
      await response.resume().toArray();
      const found = await Promise.all(
        ids.map(async (id) => (await registry().ask('GET', pathOf(id))).status),
      );
      return [response.statusCode, ...found];
    }

    test('whose token is revoked before it ends imports nothing', async () => {
      const token = await newToken('clients:write');
      expect(await imported(token, async () => revoke(token))).toEqual([401, 404, 404]);
    });

    test.each([{}, { max_uses: 1 }])('imports all if its token is not revoked: %j', async (restriction) => {
      const token = await newToken('clients:write', restriction);
      expect(await imported(token, async () => undefined)).toEqual([200, 200, 200]);
    });
  });

  const jobOf = async (id: string) => (await registry().ask('GET', `/clients/jobs/${id}`)).body;
  /** Starts a job that disables a Client, and waits for its end. @returns its id */
  const runDisabling = async (token: string): Promise<string> => {
    const { body: client } = await registry().ask('POST', '/client', { body: registration() });
    const body = { action: 'disable', client_ids: [client['client_id']] };
    const started = await ask(`${registry().url}/clients/jobs`, 'POST', token, { body });
    expect([started.status, started.body]).toEqual([202, expect.anything()]);
    const id = String(started.body['id']);
    await eventually(async () => expect(await jobOf(id)).toMatchObject({ state: 'finished', changed: 1 }));
    return id;
  };
  /** A running copy of a job, as if it had been started some time earlier. @returns its id */
  const startedEarlier = async (job: string, interval: string): Promise<string> => {
    const [copy] = await registry().dataSource.query<{ id: string }[]>(
      `INSERT INTO client_job (action, dry_run, state, since, actor_id, actor_name, address, selector, created_at, worked_at)
       SELECT action, dry_run, 'running', since, actor_id, actor_name, address, selector, created_at - $2::interval, worked_at
       FROM client_job WHERE id = $1::bigint RETURNING id`,
      [job, interval],
    );
    return copy!.id;
  };

  test('a job is carried out if the last use of its token started it, but for at most an hour', async () => {
    const { value } = await newToken('clients:write', { max_uses: 1 });
    const id = await runDisabling(value);
    const [younger, older] = [await startedEarlier(id, '59 min'), await startedEarlier(id, '61 min')];
    await eventually(async () => {
      expect(await jobOf(younger)).toMatchObject({ state: 'finished' });
      expect(await jobOf(older)).toMatchObject({ state: 'failed', problem: { error: 'invalid_token' } });
    });
  });
});
