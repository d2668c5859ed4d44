import { onPostgres } from '../on-both-databases.js';
import { type Answer, registration } from '../running-registry.js';

const COUNT = 61;

onPostgres((registry, isThorough) => {
  const list = async (query: string): Promise<Answer> => registry().ask('GET', `/client${query}`);
  const idsOf = ({ body }: Answer) =>
    (body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id);
  const clientId = (index: number) => `client-${String(index).padStart(3, '0')}`;
  const all = Array.from({ length: COUNT }, (_, index) => clientId(index));

  test('an empty registry has an empty list', async () => {
    expect((await list('')).body).toEqual({ clients: [], seq: '0' });
  });

  test('the list is in order of registration, 50 per page', async () => {
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

  test('following Link: rel=next yields each Client once, even if the last page is full', async () => {
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

  test('Clients registered or deleted while paging neither duplicate nor hide another', async () => {
    const first = await list('?limit=20');
    await registry().ask('DELETE', `/client/${clientId(19)}`);
    await registry().ask('DELETE', `/client/${clientId(20)}`);
    await registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'late' }) });
    const rest = await list(`?limit=500&cursor=${String(first.body['next'])}`);
    expect(idsOf(rest)).toEqual([...all.slice(21), 'late']);
  });

  test('a cursor of another sort or filter is rejected with that reason', async () => {
    const { body } = await list('?limit=1&sort=client_name&q=shop');
    const cursor = `cursor=${String(body['next'])}`;
    expect((await list(`?limit=2&sort=client_name&q=shop&${cursor}`)).status).toBe(200);
    for (const query of [
      `?q=shop`,
      `?sort=-client_name&q=shop`,
      '?sort=client_name',
      '?sort=client_name&q=sho',
    ]) {
      const refused = await list(`${query}&${cursor}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        detail: 'The cursor belongs to a different sort or filter; start without one.',
        errors: [{ field: '/cursor' }],
      });
    }
  });

  test('the Link to the next page repeats the query, but not the count', async () => {
    const { headers } = await list('?limit=2&q=sho%26p&count=true');
    expect(headers.get('link')).toBeNull();
    const link = (await list('?limit=2&q=shop&enabled=true&count=true')).headers.get('link');
    expect(link).toMatch(/^<\/client\?limit=2&q=shop&enabled=true&cursor=[\w-]+>; rel="next"$/);
  });

  test('a disabled Client is listed as such', async () => {
    await registry().dataSource.query(`UPDATE client SET enabled = false WHERE client_id = 'late'`);
    expect(idsOf(await list('?enabled=false'))).toEqual(['late']);
  });

  if (isThorough) {
    test('a total beyond 10,000 is reported as more than that', async () => {
      // Each statement has five seconds, on a busy machine, too.
      for (let first = 1; first < 10_000; first += 1_000) {
        await registry().dataSource.query(
          `INSERT INTO client (client_id, metadata, cookie_name, seq, created_at, updated_at, enabled, warnings)
           SELECT 'many' || i, metadata, cookie_name, 0, '2026-01-02', '2026-01-02', enabled, warnings
           FROM client CROSS JOIN generate_series($1::int, $1::int + 999) AS i WHERE client_id = 'late'`,
          [first],
        );
      }
      const totalOf = async (query: string) => {
        const { total, total_is_exact } = (await list(`?limit=1&count=true${query}`)).body;
        return [total, total_is_exact];
      };
      expect(await totalOf('')).toEqual([10_000, false]);
      expect(await totalOf('&enabled=false')).toEqual([10_000, false]);
      expect(await totalOf('&q=many')).toEqual([10_000, true]);
      expect(await totalOf('&q=MANY100')).toEqual([12, true]);
    });
  }

  test('seq is where a reader of all pages continues with the changes, and is the same on every page', async () => {
    const first = (await list('?limit=1')).body;
    const { headers } = await registry().ask('POST', '/client', { body: registration() });
    const second = (await list(`?limit=1&cursor=${String(first['next'])}`)).body;
    expect(second['seq']).toBe(first['seq']);
    expect(`"${String((await list('?limit=1')).body['seq'])}"`).toBe(headers.get('etag'));
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
    ['?cursor=W10', 'cursor'],
    ['?cursor=a&cursor=b', 'cursor'],
    [`?cursor=${'a'.repeat(5001)}`, 'cursor'],
    ['?sort=seq', 'sort'],
    ['?sort=', 'sort'],
    ['?sort=--created_at', 'sort'],
    ['?sort=client_name&sort=client_id', 'sort'],
    ['?count=yes', 'count'],
    ['?q=', 'q'],
    ['?q=a&q=b', 'q'],
    ['?q=%00', 'q'],
    ['?q=a%0Ab', 'q'],
    [`?q=${'a'.repeat(513)}`, 'q'],
    ['?enabled=1', 'enabled'],
    ['?enabled=', 'enabled'],
    ['?has_warnings=TRUE', 'has_warnings'],
    ['?warning=none', 'warning'],
    ['?managed_by=set:%00', 'managed_by'],
    ['?managed_by=set:', 'managed_by'],
    ['?created_since=yesterday', 'created_since'],
    ['?created_since=2026-02-30', 'created_since'],
    ['?updated_since=2026-11-21T08:00:00+01:00', 'updated_since'],
    ['?secret_expires_within=0', 'secret_expires_within'],
    ['?secret_expires_within=3651', 'secret_expires_within'],
    ['?secret_expires_within=7d', 'secret_expires_within'],
    ['?secret_never_used=never', 'secret_never_used'],
    ['?application_type=desktop', 'application_type'],
    ['?grant_types=authorization_code,refresh_token', 'grant_types'],
    ['?response_types=', 'response_types'],
    ['?code_challenge_method=s256', 'code_challenge_method'],
    ['?authorize_anonymous_users=maybe', 'authorize_anonymous_users'],
    ['?client_name=Shop', 'client_name'],
    ['?page=2', 'page'],
    ['?__proto__=1', '__proto__'],
    ['?constructor=1', 'constructor'],
  ])('%s answers 400 and names the parameter', async (query, parameter) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect(new Set(fields)).toEqual(new Set([`/${parameter}`]));
  });
});
