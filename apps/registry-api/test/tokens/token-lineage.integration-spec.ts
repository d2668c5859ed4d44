import { ApiToken } from '../../src/tokens/api-token.entity.js';
import { onPostgres } from '../on-both-databases.js';
import { type Answer, ask } from '../running-registry.js';

interface Document {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const SCOPES = ['tokens:write', 'clients:read'];

onPostgres((registry) => {
  const create = async (name: string, by = registry().token, members: object = {}): Promise<Answer> =>
    ask(`${registry().url}/token`, 'POST', by, { body: { name, scopes: SCOPES, ...members } });
  const made = async (...sent: Parameters<typeof create>): Promise<Document> => {
    const { status, body } = await create(...sent);
    expect(status).toBe(201);
    return body as unknown as Document;
  };
  const use = async ({ token }: Document) => (await ask(`${registry().url}/client`, 'GET', token)).status;
  const revoke = async ({ id }: Document, query = '') => {
    const { status, body } = await registry().ask('DELETE', `/token/${id}${query}`);
    expect(status).toBe(200);
    return body as unknown as { readonly revoked: Document[]; readonly descendants: Document[] };
  };
  const list = async (query = '') =>
    (await registry().ask('GET', `/token${query}`)).body as unknown as {
      readonly tokens: Document[];
      readonly next?: string;
    };
  const names = (documents: readonly Document[]) => documents.map(({ name }) => name).sort();
  const endOf = ({ expires_at }: Document) => Date.parse(String(expires_at));

  test('a child expires no later than its creating token, whatever is requested', async () => {
    const parent = await made('hour', undefined, { expires_in: '1 h' });
    for (const members of [{}, { expires_in: null }, { expires_in: '10 y' }, { expires_in: '61 m' }]) {
      const child = await made('child', parent.token, members);
      expect(child.expires_at).toBe(parent.expires_at);
      const grandchild = await made('grandchild', child.token);
      expect(grandchild.expires_at).toBe(parent.expires_at);
    }
    expect(endOf(await made('shorter', parent.token, { expires_in: '1 m' }))).toBeLessThan(
      endOf(parent) - 3_000_000,
    );
    expect((await made('endless')).expires_at).toBeNull();
  });

  test('DELETE revokes only that token, and lists its descendants that stay valid', async () => {
    const parent = await made('a');
    const child = await made('a/b', parent.token);
    const grandchild = await made('a/b/c', child.token);
    await made('a/short', parent.token, { expires_in: 1 });
    const other = await made('other');
    await new Promise((resolve) => setTimeout(resolve, 1_100));

    const { revoked, descendants } = await revoke(parent);
    expect([names(revoked), names(descendants)]).toEqual([['a'], ['a/b', 'a/b/c']]);
    expect(await Promise.all([parent, child, grandchild, other].map(use))).toEqual([401, 200, 200, 200]);

    // One in between that has ended does not hide what came of it.
    expect(names((await revoke(child)).descendants)).toEqual(['a/b/c']);
    expect(names((await revoke(parent)).descendants)).toEqual(['a/b/c']);
    const { body } = await registry().ask('GET', `/token/${parent.id}`);
    expect(body).toMatchObject({
      id: parent.id,
      revoked_at: expect.any(String),
      descendants: [{ name: 'a/b/c' }],
    });
    expect(body).not.toHaveProperty('hash');
  });

  test('with ?descendants=revoke they are revoked, too, even after the token itself', async () => {
    const parent = await made('p');
    const child = await made('p/q', parent.token);
    const grandchild = await made('p/q/r', child.token);
    const other = await made('p-other');
    await revoke(child);
    const { revoked, descendants } = await revoke(parent, '?descendants=revoke');
    expect([names(revoked), descendants]).toEqual([['p', 'p/q/r'], []]);
    expect(await Promise.all([parent, child, grandchild, other].map(use))).toEqual([401, 401, 401, 200]);
    expect((await revoke(parent, '?descendants=revoke')).revoked).toEqual([]);
    expect((await registry().ask('DELETE', `/token/${other.id}?descendants=all`)).status).toBe(400);
  });

  test('a token that is revoked with its descendants leaves none, however many it makes meanwhile', async () => {
    for (let round = 0; round < 10; round += 1) {
      const parent = await made('racing');
      const child = await made('racing', parent.token);
      const makers = [parent, child, parent, child, parent, child];
      const making = makers.map(async ({ token }) => create('racing', token));
      await revoke(parent, '?descendants=revoke');
      const statuses = (await Promise.all(making)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 201 && status !== 401)).toEqual([]);
      expect((await list()).tokens.filter(({ name }) => name === 'racing')).toEqual([]);
    }
  });

  test('revoked and expired tokens can be listed, page by page', async () => {
    const tokens = await Promise.all(['x1', 'x2', 'x3'].map(async (name) => made(name)));
    for (const token of tokens) await revoke(token);
    const expired = await made('x4', undefined, { expires_in: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(names((await list()).tokens).filter((name) => /^x\d/.test(name))).toEqual([]);

    const seen: Document[] = [];
    for (let query = '?state=ended&limit=2'; ;) {
      const { tokens: page, next } = await list(query);
      seen.push(...page);
      if (next === undefined) break;
      expect(page).toHaveLength(2);
      query = `?state=ended&limit=2&before=${next}`;
    }
    expect(names(seen).filter((name) => /^x\d/.test(name))).toEqual(['x1', 'x2', 'x3', 'x4']);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.find(({ id }) => id === expired.id)).toMatchObject({ revoked_at: null });
    expect((await registry().ask('GET', '/token?state=ended&before=0123456789abcdef')).status).toBe(404);
  });

  test('an ended token is deleted once it is older than changes are kept, unless one created by it is not', async () => {
    const tokens = registry().dataSource.getRepository(ApiToken);
    const [parent, lone, young] = [await made('old'), await made('old-lone'), await made('young')];
    const child = await made('old-child', parent.token);
    for (const token of [parent, lone, young]) await revoke(token);
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
    for (const { id } of [parent, lone]) await tokens.update({ id }, { revokedAt: daysAgo(401) });
    await tokens.update({ id: young.id }, { revokedAt: daysAgo(399) });
    await made('next');
    const statusOf = async ({ id }: Document) => (await registry().ask('GET', `/token/${id}`)).status;
    expect(await Promise.all([parent, lone, young, child].map(statusOf))).toEqual([200, 404, 200, 200]);
  });

  test('the hash of a revoked token is no longer that of its value', async () => {
    const token = await made('hashed');
    const tokens = registry().dataSource.getRepository(ApiToken);
    const { hash } = await tokens.findOneByOrFail({ id: token.id });
    await revoke(token);
    expect((await tokens.findOneByOrFail({ id: token.id })).hash.equals(hash)).toBe(false);
    expect(await tokens.existsBy({ hash })).toBe(false);
  });
});
