import { DATABASE_START_MS } from './on-both-databases.js';
import { type RunningRegistry, runRegistry } from './running-registry.js';

const ADMIN = 'https://admin.example.com';

const askFrom = async ({ url }: RunningRegistry, origin: string, method = 'GET', headers = {}) =>
  fetch(`${url}/client`, { method, headers: { origin, ...headers } });

const corsHeadersOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const PREFLIGHT = {
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,if-match',
};

describe('with CORS_ORIGINS', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await runRegistry({ CORS_ORIGINS: `https://other.example, ${ADMIN}` });
  }, DATABASE_START_MS);
  afterAll(async () => registry.close());

  test('a page of a listed origin may send requests, and read errors, too', async () => {
    const preflight = await askFrom(registry, ADMIN, 'OPTIONS', PREFLIGHT);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(ADMIN);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization.*If-Match/);
    const refused = await askFrom(registry, ADMIN);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(ADMIN);
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/ETag.*Change-Seq/);
    expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
    expect(refused.headers.get('vary')).toContain('Origin');
  });

  test.each(['https://evil.example', 'null', `${ADMIN}.evil.example`, 'http://admin.example.com'])(
    'a page of %s may not',
    async (origin) => {
      const answer = await askFrom(registry, origin);
      expect(corsHeadersOf(answer)).toEqual([]);
      expect(answer.headers.get('vary')).toContain('Origin');
      expect((await askFrom(registry, origin, 'OPTIONS', PREFLIGHT)).status).toBe(405);
    },
  );
});

test(
  'without CORS_ORIGINS no page of another origin may',
  async () => {
    const registry = await runRegistry();
    expect(corsHeadersOf(await askFrom(registry, ADMIN))).toEqual([]);
    expect((await askFrom(registry, ADMIN, 'OPTIONS', PREFLIGHT)).status).toBe(405);
    await registry.close();
  },
  DATABASE_START_MS,
);

test.each([
  '*',
  'admin.example.com',
  'https://admin.example.com/',
  'https://ADMIN.example.com',
  'null',
  'file://',
])('CORS_ORIGINS=%s is refused at the start', async (value) => {
  await expect(runRegistry({ CORS_ORIGINS: value })).rejects.toThrow(/CORS_ORIGINS: must be origins/);
});
