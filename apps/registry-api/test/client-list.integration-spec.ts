import { onBothDatabases } from './on-both-databases.js';
import { type Answer, registration } from './running-registry.js';

const COUNT = 61;

onBothDatabases((registry) => {
  const list = async (query: string): Promise<Answer> => registry().ask('GET', `/client${query}`);
  const idsOf = ({ body }: Answer) =>
    (body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id);
  const clientId = (index: number) => `client-${String(index).padStart(3, '0')}`;
  const all = Array.from({ length: COUNT }, (_, index) => clientId(index));

  test('an empty registry has an empty list', async () => {
    expect((await list('')).body).toEqual({ clients: [] });
  });

  test('the list has the order of registration, 50 to a page', async () => {
    for (const id of all) {
      await registry().ask('POST', '/client', { body: registration({ preferred_client_id: id }) });
    }
    const first = await list('');
    expect(idsOf(first)).toEqual(all.slice(0, 50));
    const second = await list(`?cursor=${String(first.body['next'])}`);
    expect(idsOf(second)).toEqual(all.slice(50));
    expect(second.body).not.toHaveProperty('next');
    expect(second.headers.get('link')).toBeNull();
  });

  test('following Link: rel=next meets each Client once, also when the last page is full', async () => {
    const met: string[] = [];
    let path: string | undefined = '?limit=1';
    let pages = 0;
    for (; path !== undefined; pages += 1) {
      const page: Answer = await list(path);
      met.push(...idsOf(page));
      path = /^<\/client(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(met).toEqual(all);
    expect(pages).toBe(COUNT);
  });

  test('Clients registered or deleted during a walk neither double nor hide another', async () => {
    const first = await list('?limit=20');
    await registry().ask('DELETE', `/client/${clientId(19)}`);
    await registry().ask('DELETE', `/client/${clientId(20)}`);
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'late' }) });
    const rest = await list(`?limit=500&cursor=${String(first.body['next'])}`);
    expect(idsOf(rest)).toEqual([...all.slice(21), 'late']);
  });

  test('Clients of the same instant have the order of their ids', async () => {
    await registry().dataSource.query(`UPDATE client SET created_at = '2026-01-01T00:00:00.123Z'`);
    const met: string[] = [];
    let cursor = '';
    do {
      const page: Answer = await list(`?limit=7${cursor}`);
      met.push(...idsOf(page));
      cursor = page.body['next'] === undefined ? '' : `&cursor=${String(page.body['next'])}`;
    } while (cursor !== '');
    expect(met).toEqual([...met].sort());
    expect(new Set(met).size).toBe(COUNT - 1);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=1e2', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?cursor=nonsense', 'cursor'],
    ['?cursor=', 'cursor'],
    ['?cursor=MA', 'cursor'],
    ['?cursor=OTk5OTk5OTk5OTk5OTk5OTk5OTkgYQ', 'cursor'],
    ['?cursor=a&cursor=b', 'cursor'],
    ['?page=2', 'page'],
  ])('%s answers 400 and names the parameter', async (query, parameter) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect(new Set(fields)).toEqual(new Set([`/${parameter}`]));
  });
});
