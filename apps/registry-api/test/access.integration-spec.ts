import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@svc/test-servers';
import { SecurityEvents } from '../src/security-events/security-events.js';
import { ApiToken } from '../src/tokens/api-token.entity.js';
import { makeBootstrapToken } from '../src/tokens/bootstrap-token.js';
import type { Scope } from '../src/tokens/scopes.js';
import { hashTokenValue, newTokenValue } from '../src/tokens/tokens.repository.js';
import { createLogger } from '@svc/service-kit';
import { onPostgres } from './on-both-databases.js';
import { ask, registration } from './running-registry.js';

/** What the contract calls public; everything else wants a token. */
const PUBLIC = ['/health/live', '/health/ready', '/openapi.json', '/docs', '/ui', '/ui*'];

/** The scope that each route wants; null for those that are public, take any token, or check one of their own. */
const SCOPES = {
  'GET /health/live': null,
  'GET /health/ready': null,
  'GET /metrics': 'metrics:read',
  'GET /token': 'tokens:write',
  'GET /token/self': null,
  'GET /token/{id}': 'tokens:write',
  'POST /token': 'tokens:write',
  'DELETE /token/{id}': 'tokens:write',
  'GET /client/features': 'clients:read',
  'GET /audit': 'audit:read',
  'GET /client': 'clients:read',
  'POST /client': 'clients:write',
  'GET /client/{client_id}': 'clients:read',
  'GET /client/{client_id}/usage': 'clients:read',
  'POST /client/{client_id}/redirect_uris': 'clients:write',
  'DELETE /client/{client_id}/redirect_uris': 'clients:write',
  'POST /client/{client_id}/registration_token': 'clients:write',
  'DELETE /client/{client_id}/registration_token': 'clients:write',
  'POST /clients/usage': 'clients:check',
  'POST /clients/explain': 'clients:read',
  'GET /client/{client_id}/history/{seq}': 'clients:read',
  'GET /deleted-clients': 'clients:read',
  'GET /deleted-clients/{client_id}': 'clients:read',
  'POST /deleted-clients/{client_id}/restore': 'clients:write',
  'DELETE /deleted-clients/{client_id}': 'clients:write',
  'PUT /client/{client_id}': 'clients:write',
  'PATCH /client/{client_id}': 'clients:write',
  'DELETE /client/{client_id}': 'clients:write',
  'POST /client/{client_id}/enable': 'clients:write',
  'POST /client/{client_id}/disable': 'clients:write',
  'POST /client/{client_id}/reset_secret': 'clients:write',
  'GET /client/{client_id}/secrets': 'clients:read',
  'GET /client/{client_id}/history': 'clients:read',
  'POST /client/{client_id}/check/authorization_request': 'clients:check',
  'POST /client/{client_id}/check/secret': 'clients:check',
  'POST /client/{client_id}/check/client_assertion': 'clients:check',
  'POST /client/{client_id}/check/cookie_webhook': 'clients:write',
  'POST /clients/bulk': 'clients:write',
  'POST /clients/jobs': 'clients:write',
  'GET /clients/jobs': 'clients:read',
  'GET /clients/jobs/{id}': 'clients:read',
  'GET /clients/jobs/{id}/results': 'clients:read',
  'POST /clients/jobs/{id}/cancel': 'clients:write',
  'POST /clients/jobs/{id}/undo': 'clients:write',
  'GET /clients/export': 'clients:read',
  'POST /clients/import': 'clients:write',
  'GET /clients/stats': 'clients:read',
  'GET /clients/recommendations': 'clients:read',
  'GET /clients/changes': 'clients:read',
  'GET /clients/cookie_entrypoints': 'clients:read',
  'POST /register': 'clients:register',
  'GET /register/{client_id}': null,
  'PUT /register/{client_id}': null,
  'DELETE /register/{client_id}': null,
};

onPostgres(
  (registry) => {
    const newToken = async (scopes: Scope[], expiresAt: Date | null = null): Promise<string> => {
      const value = newTokenValue();
      const token = { id: value.slice(5, 13), name: 'test', hash: hashTokenValue(value), scopes };
      await registry()
        .dataSource.getRepository(ApiToken)
        .insert({ ...token, createdAt: new Date(), expiresAt });
      return value;
    };
    const statusWith = async (token: string, path = '/client'): Promise<number> =>
      (await ask(registry().url + path, 'GET', token)).status;

    test('every route of the server requires a token, except the public ones', async () => {
      const routes = routesIn(
        registry().service.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false }),
      );
      expect(routes).toContainEqual(['DELETE', '/client/:client_id']);
      for (const [method, path] of routes) {
        if (PUBLIC.some((open) => path === open || /^\/(docs|ui)\//.test(path))) continue;
        const { status } = await fetch(registry().url + path, { method });
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    });

    test('the API document names each route, and the scope of each that requires a token', async () => {
      const { body } = await registry().ask('GET', '/openapi.json');
      const paths = body['paths'] as Record<string, Record<string, Record<string, unknown>>>;
      const scopes = Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => [
          `${method.toUpperCase()} ${path}`,
          operation['x-required-scope'] ?? null,
        ]),
      );
      expect(Object.fromEntries(scopes)).toEqual(SCOPES);
    });

    test('a token grants access only by its scopes', async () => {
      const reader = await newToken(['clients:read']);
      expect(await statusWith(reader)).toBe(200);
      expect(await statusWith(reader, '/metrics')).toBe(403);
      const refused = await ask(`${registry().url}/client`, 'POST', reader, { body: registration() });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toContain('scope="clients:write"');
    });

    test('an unknown and an expired token get the same response', async () => {
      const expired = await newToken(['clients:read'], new Date(Date.now() - 1000));
      const answers = await Promise.all(
        [expired, newTokenValue()].map((token) => ask(`${registry().url}/client`, 'GET', token)),
      );
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
      const [one, other] = answers.map(({ body }) => ({ ...body, request_id: '' }));
      expect(one).toEqual(other);
    });

    test('a revoked token ends within a second or so', async () => {
      const token = await newToken(['clients:read']);
      expect(await statusWith(token)).toBe(200);
      await registry()
        .dataSource.getRepository(ApiToken)
        .delete({ hash: hashTokenValue(token) });
      while ((await statusWith(token)) === 200) await sleep(50);
      expect(await statusWith(token)).toBe(401);
    });

    test('a revoked token ends as soon if the clock was set back', async () => {
      const token = await newToken(['clients:read']);
      expect(await statusWith(token)).toBe(200);
      await registry()
        .dataSource.getRepository(ApiToken)
        .delete({ hash: hashTokenValue(token) });
      const { now } = Date;
      Date.now = () => now() - 3_600_000;
      try {
        await eventually(async () => expect(await statusWith(token)).toBe(401));
      } finally {
        Date.now = now;
      }
    });

    test('the use of a token is recorded', async () => {
      const token = await newToken(['clients:read']);
      await statusWith(token);
      const tokens = registry().dataSource.getRepository(ApiToken);
      await eventually(async () => {
        const { lastUsedAt } = await tokens.findOneByOrFail({ hash: hashTokenValue(token) });
        expect(Date.now() - Number(lastUsedAt)).toBeLessThan(60_000);
      });
    });

    test('the bootstrap token has all scopes, in a file that only its owner can read', async () => {
      const { mode } = await stat(join(registry().dataDir, 'bootstrap-token'));
      expect((mode & 0o777).toString(8)).toBe('600');
      expect(await statusWith(registry().token, '/metrics')).toBe(200);
      expect(registry().logged()).toContain(join(registry().dataDir, 'bootstrap-token'));
      expect(registry().logged()).not.toContain(registry().token);
    });

    test('no second one is created once there has been a Client, even if all tokens are gone', async () => {
      await registry().ask('POST', '/client', { body: registration() });
      const { dataSource, dataDir } = registry();
      const tokens = dataSource.getRepository(ApiToken);
      await tokens.clear();
      const events = registry().service.app.get(SecurityEvents);
      await makeBootstrapToken(dataSource, { DATA_DIR: dataDir }, createLogger('test', 'silent'), events);
      expect(await tokens.count()).toBe(0);
    });
  },
  { REGISTRATION: 'token' },
);

/** Method and path of each route in the tree that Fastify prints. */
function routesIn(tree: string): [method: string, path: string][] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4;
    parents.length = depth;
    parents.push((parents[depth - 1] ?? '') + part);
    const path = parents.join('') === '' ? '/' : (parents[depth] ?? '');
    return methods.split(', ').map((method): [string, string] => [method, path]);
  });
}
