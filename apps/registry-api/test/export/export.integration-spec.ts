import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { parseString } from 'fast-csv';
import { ClientFinder } from '../../src/clients/list/client-finder.js';
import { metadataOf, store } from '../list/stored-clients.js';
import { DATABASE_START_MS, onBothDatabases } from '../on-both-databases.js';
import { pathOf, registration } from '../running-registry.js';

/** More than two batches. */
const COUNT = 1_203;

const NDJSON = { accept: 'application/x-ndjson' };
const CSV = { accept: 'text/csv' };

onBothDatabases((registry, isThorough) => {
  const fetchExport = async (query = '', headers: Readonly<Record<string, string>> = NDJSON) =>
    fetch(`${registry().url}/clients/export${query}`, {
      headers: { authorization: `Bearer ${registry().token}`, ...headers },
    });
  const linesOf = async (response: Response): Promise<Record<string, unknown>[]> => {
    const text = await response.text();
    expect(text === '' || text.endsWith('\n')).toBe(true);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const idsOf = async (query: string) =>
    (await linesOf(await fetchExport(query))).map(({ client_id: id }) => id);

  test('an empty registry is an empty export, in CSV a header', async () => {
    expect(await (await fetchExport()).text()).toBe('');
    expect(await (await fetchExport('', CSV)).text()).toMatch(
      /^\uFEFF?client_id,enabled,client_name,.*\r\n$/,
    );
  });

  test('each line is a whole Client, as GET shows it, and no secret', async () => {
    const { body, headers } = await registry().ask('POST', '/client', { body: registration() });
    const response = await fetchExport();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(`"${response.headers.get('change-seq')}"`).toBe(headers.get('etag'));
    const [client] = await linesOf(response);
    expect(client).toEqual((await registry().ask('GET', pathOf(body['client_id']))).body);
    expect(JSON.stringify(client)).not.toContain(String(body['client_secret']));
    await registry().ask('DELETE', pathOf(body['client_id']));
  });

  test(
    'an export of many holds each Client once, in the order of the ids',
    async () => {
      const clients = Array.from({ length: COUNT }, (_, index) => ({
        clientId: `c${String((index * 7) % COUNT).padStart(5, '0')}`,
        metadata: metadataOf({ client_name: index % 100 === 0 ? `=Rare ${index}` : `Shop ${index}` }),
        enabled: index % 10 !== 0,
        warnings: [],
        createdAt: new Date(Date.UTC(2026, 0, 1) + index),
        updatedAt: new Date(Date.UTC(2026, 0, 1) + index),
      }));
      await store(registry().dataSource, clients);
      const all = clients.map(({ clientId }) => clientId).sort();
      expect(await idsOf('')).toEqual(all);
      const disabled = clients.filter(({ enabled }) => !enabled).map(({ clientId }) => clientId);
      expect(await idsOf('?enabled=false')).toEqual(disabled.sort());
      expect(await idsOf('?q=RARE')).toHaveLength(13);
    },
    DATABASE_START_MS,
  );

  test('ids that exist are exported, each once', async () => {
    expect(await idsOf('?client_id=c00007&client_id=c00003&client_id=nobody')).toEqual(['c00003', 'c00007']);
    expect(await idsOf('?client_id=a%2Cb')).toEqual([]);
  });

  test('CSV has a row for each Client, and no formula', async () => {
    const response = await fetchExport('?q=rare', CSV);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="clients.csv"');
    const rows: Record<string, string>[] = [];
    const parser = parseString<Record<string, string>, Record<string, string>>(await response.text(), {
      headers: true,
    });
    parser.on('data', (row) => rows.push(row));
    await once(parser, 'end');
    expect(rows).toHaveLength(13);
    expect(rows[0]).toMatchObject({ client_id: 'c00000', enabled: 'false', client_name: "'=Rare 0" });
  });

  test('a caller that accepts neither NDJSON nor CSV gets 406', async () => {
    const response = await fetchExport('', { accept: 'application/xml' });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ detail: 'An export is application/x-ndjson or text/csv.' });
  });

  test.each([
    ['?client_id=', 'client_id'],
    ['?client_id=%C3%A9', 'client_id'],
    ['?client_id=a&client_id=a', 'client_id'],
    ['?client_id=a&q=shop', 'q'],
    ['?client_id=a&enabled=true', 'enabled'],
    ['?q=https://', 'q'],
    ['?sort=client_name', 'sort'],
    ['?limit=1', 'limit'],
    ['?enabled=maybe', 'enabled'],
  ])('%s answers 400 and names the parameter', async (query, parameter) => {
    const response = await fetchExport(query);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect(new Set(errors.map(({ field }) => field))).toEqual(new Set([`/${parameter}`]));
  });

  if (isThorough) {
    test('a caller that disconnects ends the read', async () => {
      // Enough that the socket's buffers do not take it all.
      // In parts, each of which a busy machine ends within the time of a statement.
      const PARTS = 40;
      for (let part = 0; part < PARTS; part += 1) {
        await registry().dataSource.query(
          `UPDATE client SET metadata = metadata || jsonb_build_object('client_uri', 'https://' || repeat('x', 20000))
           WHERE abs(hashtext(client_id)) % ${PARTS} = $1`,
          [part],
        );
      }
      const reads = jest.spyOn(registry().service.app.get(ClientFinder, { strict: false }), 'find');
      const request = get(`${registry().url}/clients/export`, {
        headers: { authorization: `Bearer ${registry().token}` },
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'readable');
      request.destroy();
      await sleep(300);
      // Three batches make the whole.
      expect(reads.mock.calls.length).toBeLessThan(3);
      reads.mockRestore();
      expect(await idsOf('?enabled=true')).toHaveLength(COUNT - Math.ceil(COUNT / 10));
      expect((await registry().ask('GET', '/health/ready')).status).toBe(200);
    });
  }
});
