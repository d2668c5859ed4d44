import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCityArchive } from '../iplookup/maxmind-files.js';
import { runSvccmd } from '../shell/run-svccmd.js';
import { startServer, type RunningServer } from './running-server.js';

const SAMPLES = new URL('../../../../tools/sample', import.meta.url).pathname;
const TOKEN = 'a-token-for-the-api-document-0123456789';

interface Content {
  readonly example?: unknown;
}
interface Operation {
  readonly security?: readonly object[];
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly example?: unknown };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

let folder: string;
let server: RunningServer;
let operations: Map<string, Operation>;
interface Schema {
  readonly properties: Readonly<Record<string, { readonly allOf?: readonly { readonly $ref: string }[] }>>;
}

let components: {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly securitySchemes: object;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-api-'));
  cpSync(SAMPLES, folder, { recursive: true });
  mkdirSync(join(folder, 'lookups'));
  writeFileSync(
    join(folder, 'iplookup', 'IP2LOCATION-LITE-DB1.CSV'),
    '"16777216","16777471","AU","Australia"\n',
  );
  writeCityArchive(join(folder, 'iplookup'), 'GeoLite2');
  writeFileSync(
    join(folder, 'svccmd.conf'),
    `[pwdencryptor]
key = password.key
[source]
path = library
state_path = state
webhook_secret = hook_secret_of_32_characters_or_more
[destination]
urls = file://${folder}/stored
[library:parsers]
source.path = library
source.state_path = state
source.webhook_secret = hook_secret_of_32_characters_or_more
destination.path = /parsers
[iplookup]
source_path = iplookup
destination_path = lookups
declarations = lookups.yaml
`,
  );
  writeFileSync(
    join(folder, 'lookups.yaml'),
    'lookups: {sites: {layers: [{source: sites.csv, input_ip_format: ipv4}]}}',
  );
  await runSvccmd(['keygen', 'password.key'], { cwd: folder });
  // So that there is a version to roll back to.
  for (let build = 0; build < 2; build++)
    await runSvccmd(['iplookup', 'from-csv', 'sites.csv', '-i', 'ipv4'], { cwd: folder });
  await runSvccmd(['iplookup', 'sync'], { cwd: folder });
  server = await startServer(folder, { SVCCMD_HTTP_TOKEN: TOKEN });
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: typeof components;
  };
  ({ components } = document);
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const successOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2')) ?? ['none', { description: '' }];

test('every operation has an example of its success, and of its body where it takes one', () => {
  const lacking = [...operations].filter(([, operation]) => {
    const [status, answer] = successOf(operation);
    if (status === '204') return false;
    const contents = Object.entries({ ...answer.content, ...operation.requestBody?.content });
    // A file, plain or packed, is nothing to be shown.
    const shown = contents.filter(([type]) => !/octet-stream|gzip|zip/.test(type));
    return contents.length === 0 || shown.some(([, { example }]) => example === undefined);
  });
  expect(lacking.map(([name]) => name)).toEqual([]);
});

/** The request that the examples make. */
function requestOf(
  name: string,
  { parameters = [], requestBody }: Operation,
): { url: string; init: RequestInit } {
  const [method = '', path = ''] = name.split(' ');
  const url = new URL(
    path.replace(/\{(\w+)\}/g, (_, key) => String(exampleOf(key as string))),
    server.url,
  );
  for (const { name: key, in: place, schema } of parameters) {
    if (place === 'query' && schema.example !== undefined) url.searchParams.set(key, String(schema.example));
  }
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body = typeof content?.example === 'string' ? content.example : JSON.stringify(content?.example);
  return {
    url: url.href,
    init: {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        accept: 'application/json',
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-token': 'hook_secret_of_32_characters_or_more',
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(content && { body }),
    },
  };

  function exampleOf(key: string): unknown {
    return parameters.find((parameter) => parameter.name === key)?.schema.example;
  }
}

/** In an order in which there is something to look at. */
const TRIED = [
  ...['GET /health/live', 'GET /health/ready', 'GET /metrics', 'POST /encpwd', 'GET /encpwd/keys'],
  ...['PUT /library/load', 'GET /library/status', 'GET /library/diff', 'GET /library/history'],
  ...['POST /library/rollback', 'POST /library/webhook'],
  ...['PUT /libraries/{library}/load', 'GET /libraries/{library}/status', 'GET /libraries/{library}/diff'],
  ...['GET /libraries/{library}/history', 'POST /libraries/{library}/rollback', 'GET /libraries'],
  ...['POST /libraries/{library}/webhook'],
  // Before the lookup is built from something else.
  ...[
    'GET /iplookup/{name}/explain/{ip}',
    'POST /iplookup/from-csv',
    'POST /iplookup/from-vendor',
    'POST /iplookup/from-maxmind',
    'GET /iplookup',
  ],
  ...['GET /iplookup/{name}', 'GET /iplookup/{name}/{ip}', 'GET /iplookup/{name}/versions'],
  ...['GET /iplookup/{name}/inspect', 'GET /iplookup/{name}/verify', 'GET /iplookup/{name}/dump'],
  ...['GET /iplookup/{name}/diff/{other}', 'POST /iplookup/{name}/addresses'],
  ...['POST /iplookup/{name}/rollback', 'DELETE /iplookup/{name}'],
];

test('every example is tested', () => {
  expect([...operations.keys()].sort()).toEqual([...TRIED].sort());
});

test.each(TRIED)('%s: the example is taken, and answered as shown', async (name) => {
  const operation = operations.get(name)!;
  const [status, { content = {} }] = successOf(operation);
  const { url, init } = requestOf(name, operation);
  const response = await fetch(url, init);
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({
    status: Number(status),
    text: expect.any(String) as string,
  });
  const example = content['application/json']?.example;
  if (example === undefined) return;
  expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(Object.keys(example as object).sort());
});

test.each([
  ['has the documented lines', 'a: 1\n', 'report'],
  ['that fails ends with its problem', 'a: 1\na: 2\n', 'problem'],
])('a streamed load %s, each with one member', async (_case, yaml, lastMember) => {
  const documented = operations.get('PUT /library/load')!.responses[200]?.content?.['application/x-ndjson'];
  expect(documented).toMatchObject({ schema: { $ref: '#/components/schemas/LoadStreamLine' } });
  const added = join(folder, 'library/added.yaml');
  writeFileSync(added, yaml);
  const response = await fetch(`${server.url}/library/load`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}`, accept: 'application/x-ndjson' },
  });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .flatMap((line) => Object.entries(JSON.parse(line) as Record<string, object>));
  rmSync(added);
  const members = lines.map(([member]) => member);
  expect(members).toEqual([...Array<string>(lines.length - 1).fill('progress'), lastMember]);
  for (const [member, value] of lines) {
    const [reference] = components.schemas['LoadStreamLine']?.properties[member]?.allOf ?? [];
    const { properties } = components.schemas[reference!.$ref.replace('#/components/schemas/', '')]!;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(value)));
  }
});

test('no schema asks for a type and for alternatives that have others', () => {
  const schemas: object[] = [...Object.values(components.schemas)];
  for (const { parameters = [] } of operations.values())
    schemas.push(...parameters.map(({ schema }) => schema));
  for (const schema of schemas) {
    const all = [schema, ...Object.values((schema as Schema).properties ?? {})];
    const chosen = all.filter((one) => 'oneOf' in one || 'anyOf' in one);
    expect(chosen.filter((one) => 'type' in one || 'allOf' in one)).toEqual([]);
  }
});

test('every operation describes its error responses, which are problem documents', () => {
  for (const [name, { security, tags, requestBody, responses }] of operations) {
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    // A probe that fails says which check did.
    const isProbe = tags?.includes('health');
    for (const [status, { description, content }] of refusals.filter(
      ([status]) => !isProbe || status !== '503',
    )) {
      expect([name, status, description]).toEqual([name, status, expect.stringMatching(/^[A-Z].*\.$/)]);
      expect([name, status, content]).toEqual([
        name,
        status,
        { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      ]);
    }
    const wanted = [
      ...(security?.length ? ['401', '403'] : []),
      ...(requestBody ? ['400', '408', '413', '415'] : []),
      ...(tags?.includes('health') ? [] : ['429', '503']),
    ];
    expect([name, wanted.filter((status) => !(status in responses))]).toEqual([name, []]);
  }
  expect(components.schemas).toHaveProperty('Problem');
  // The token is no JWT.
  expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
});

test.each<[string, number, RequestInit]>([
  ['POST /encpwd', 400, { body: '' }],
  ['POST /encpwd', 401, { body: 'x', headers: { authorization: 'Bearer wrong' } }],
  ['POST /encpwd', 413, { body: 'x'.repeat(65_537) }],
  ['POST /encpwd', 415, { body: '""', headers: { 'content-type': 'application/json' } }],
  ['POST /iplookup/from-csv', 400, { body: '{' }],
  ['POST /iplookup/from-csv', 415, { body: 'x', headers: { 'content-type': 'image/png' } }],
  ['POST /library/webhook', 403, { body: '{}' }],
  ['GET /iplookup/{name}', 404, {}],
])('%s: %i is answered as documented', async (name, status, { body, headers = {} }) => {
  const [method = '', path = ''] = name.split(' ');
  const response = await fetch(server.url + path.replace('{name}', 'none'), {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body !== undefined && { 'content-type': path === '/encpwd' ? 'text/plain' : 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body !== undefined && { body }),
  });
  const [type = ''] = String(response.headers.get('content-type')).split(';');
  expect([response.status, type]).toEqual([status, 'application/problem+json']);
  expect(Object.keys(operations.get(name)?.responses[status]?.content ?? {})).toEqual([type]);
});
