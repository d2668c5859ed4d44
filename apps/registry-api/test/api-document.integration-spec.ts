import { clientSchema, DEFAULT_CAPABILITIES, registrationSchema } from '@svc/client-metadata';
import { DATABASE_START_MS } from './on-both-databases.js';
import { type RunningRegistry, runRegistry } from './running-registry.js';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry({ GRANT_TYPES: 'refresh_token' });
}, DATABASE_START_MS);
afterAll(async () => registry.close());

type Schema = { properties: Record<string, { items?: { enum?: string[] } }> };

test('a Client is described by the metadata table, with what this server supports', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const { schemas } = body['components'] as { schemas: Record<string, Schema> };
  const capabilities = { ...DEFAULT_CAPABILITIES, grant_types: ['authorization_code', 'refresh_token'] };
  const { properties } = JSON.parse(JSON.stringify(clientSchema(capabilities))) as Schema;
  expect(schemas['Client']?.properties).toMatchObject(properties);
  expect({ ...schemas['ClientRegistration'], example: undefined }).toEqual(
    JSON.parse(JSON.stringify(registrationSchema(capabilities))),
  );
});

test('every reference of the document leads somewhere', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const { schemas } = body['components'] as { schemas: Record<string, unknown> };
  const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  const names = new Set(references.map(([, name]) => String(name)));
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...names]));
  expect(names.size).toBeGreaterThan(4);
});

test('GET /client/features tells what this server supports, with schemas and limits', async () => {
  const { status, body } = await registry.ask('GET', '/client/features');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    schemas: { registration: { type: 'object' } },
    limits: { redirect_uris: 100 },
  });
  expect(body['fields']).toContainEqual(
    expect.objectContaining({ name: 'grant_types', allowed_values: ['authorization_code', 'refresh_token'] }),
  );
});
