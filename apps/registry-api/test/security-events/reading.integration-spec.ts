import { EVENT_KINDS } from '../../src/security-events/security-event.js';
import { onPostgres } from '../on-both-databases.js';
import { ask } from '../running-registry.js';
import { eventuallyRecorded, idOf, recorded } from './recorded-events.js';

onPostgres(
  (registry) => {
    const url = (query = '') => `${registry().url}/audit${query}`;
    const create = async (name: string) =>
      (await registry().ask('POST', '/token', { body: { name, scopes: ['clients:read'] } })).body;
    const authorization = (token = registry().token) => ({ authorization: `Bearer ${token}` });

    beforeAll(async () => {
      for (let count = 0; count < 7; count += 1) await create(`t${count}`);
      await eventuallyRecorded(registry(), 'kind=token_first_used', [{}]);
    });

    test('pages continue where the former ended, and the link has the filters', async () => {
      const all = (await recorded(registry(), 'kind=token_created&kind=token_revoked')).map(({ seq }) => seq);
      const found: number[] = [];
      let next: string | undefined = '/audit?kind=token_created&kind=token_revoked&limit=3';
      while (next !== undefined) {
        const { body, headers } = await registry().ask('GET', next);
        found.push(...(body['events'] as { seq: number }[]).map(({ seq }) => seq));
        next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
        expect(next === undefined).toBe(body['next'] === undefined);
      }
      expect(found).toEqual(all);
      expect(found).toHaveLength(8);
    });

    test('filters by time, actor and subject', async () => {
      const [latest] = await recorded(registry(), 'kind=token_created');
      const at = latest!.at;
      expect(await recorded(registry(), `since=${at}&subject=${latest!.subject}`)).toEqual([latest]);
      expect(await recorded(registry(), `until=${at}&subject=${latest!.subject}`)).toEqual([]);
      expect(await recorded(registry(), `actor=${latest!.actor.id}&kind=token_created`)).toHaveLength(7);
      expect(await recorded(registry(), 'actor=nobody')).toEqual([]);
    });

    test.each(['kind=flying', 'since=yesterday', 'limit=0', 'limit=1001', 'cursor=x', 'actor=%00', 'x=1'])(
      '%s is 400',
      async (query) => {
        expect((await registry().ask('GET', `/audit?${query}`)).status).toBe(400);
      },
    );

    test('only with the scope', async () => {
      const { body } = await registry().ask('POST', '/token', {
        body: {
          name: 'all but one',
          scopes: ['clients:read', 'clients:write', 'tokens:write', 'metrics:read'],
        },
      });
      expect((await ask(url(), 'GET', String(body['token']))).status).toBe(403);
    });

    test('an export has everything that matches, oldest first', async () => {
      const response = await fetch(url('?kind=token_created'), {
        headers: { ...authorization(), accept: 'application/x-ndjson' },
      });
      expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      const lines = (await response.text()).trimEnd().split('\n');
      const exported = lines.map((line) => JSON.parse(line) as unknown);
      expect(exported).toEqual((await recorded(registry(), 'kind=token_created')).reverse());
    });

    test('a stream has the events after the last one seen, then new ones, and ends with its token', async () => {
      const auditor = await registry().ask('POST', '/token', {
        body: { name: 'siem', scopes: ['audit:read'] },
      });
      const [latest] = await recorded(registry(), 'kind=token_created');
      const before = (await recorded(registry())).find(({ seq }) => seq === latest!.seq - 1);
      const response = await fetch(url('?kind=token_created'), {
        headers: {
          ...authorization(String(auditor.body['token'])),
          ...{ accept: 'text/event-stream', 'last-event-id': idOf(before!) },
        },
      });
      expect(response.status).toBe(200);
      let text = '';
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      const readUntil = async (part: string) => {
        while (!text.includes(part)) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`the stream ended without ${part}`);
          text += value;
        }
      };
      await readUntil(`id: ${idOf(latest!)}\ndata: {"seq":${latest!.seq},`);
      const { id } = await create('seen live');
      await readUntil(`"subject":"${String(id)}"`);
      expect(text.match(/^data: /gm)).toHaveLength(2);
      await registry().ask('DELETE', `/token/${String(auditor.body['id'])}`);
      for (;;) if ((await reader.read()).done) break;
    });

    test('one token cannot take all streams', async () => {
      const open = async () => fetch(url(), { headers: { ...authorization(), accept: 'text/event-stream' } });
      const streams = await Promise.all(Array.from({ length: 6 }, open));
      expect(streams.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
      for (const stream of streams) await stream.body?.cancel();
    });

    test('each event is a line of the log, and counted', async () => {
      const { id } = await create('logged');
      const lines = registry()
        .logged()
        .split('\n')
        .filter((line) => line.includes('"security event"'))
        .map((line) => JSON.parse(line) as { security_event: Record<string, unknown> });
      const [event] = await recorded(registry(), `subject=${String(id)}`);
      expect(lines.map((line) => line.security_event)).toContainEqual(event);
      const metrics = await (await fetch(`${registry().url}/metrics`, { headers: authorization() })).text();
      const [, count] = /security_events_total\{[^}]*kind="token_created"[^}]*\} (\d+)/.exec(metrics) ?? [];
      expect(Number(count)).toBe((await recorded(registry(), 'kind=token_created')).length);
      for (const kind of EVENT_KINDS) expect(metrics).toContain(`kind="${kind}"`);
    });
  },
  { AUDIT_LOG: 'on', LOG_LEVEL: 'info' },
);
