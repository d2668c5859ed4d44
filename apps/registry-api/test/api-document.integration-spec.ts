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

test('every reference in the document resolves', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const { schemas } = body['components'] as { schemas: Record<string, unknown> };
  const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  const names = new Set(references.map(([, name]) => String(name)));
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...names]));
  expect(names.size).toBeGreaterThan(4);
});

test('GET /client/features lists what this server supports, with schemas and limits', async () => {
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

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

test('every operation has an id that reads well, a summary, a description, and an example of each body and success', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const operations = Object.values(body['paths'] as Record<string, Record<string, Described>>).flatMap(
    (path) => Object.values(path),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operationId, summary, description, requestBody, responses } of operations) {
    expect([operationId, summary, description]).toEqual([
      operationId,
      expect.stringMatching(/^[A-Z].*[^.]$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ]);
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const contents = [requestBody, ...successes.map(([, response]) => response)].map(
      (one) => one?.content ?? {},
    );
    const lacking = contents.flatMap((content) =>
      Object.entries(content).filter(([, { example }]) => example === undefined),
    );
    expect([operationId, lacking.map(([type]) => type)]).toEqual([operationId, []]);
  }
});

test('every operation that changes something documents that it may refuse an Idempotency-Key', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const operations = Object.values(body['paths'] as Record<string, Record<string, Described>>).flatMap(
    ({ get: _get, ...others }) => Object.values(others),
  );
  expect(operations.length).toBeGreaterThan(20);
  expect(operations.filter(({ responses }) => !('400' in responses))).toEqual([]);
});
