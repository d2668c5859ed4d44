import { convertClients } from './convert-clients.js';
import type { Product } from './products.js';
import { sampleJson, WIDE } from '../../test/convert-samples.js';

const converted = (product: Product, client: object) =>
  convertClients(product, [client], { capabilities: WIDE, newId: () => 'new-id', withSecrets: true })
    .clients[0];

const CLIENT = {
  client_id: 'a',
  redirect_uris: ['https://a.example/'],
  token_endpoint_auth_method: 'client_secret_basic',
};
const SECRET = 'Xk29-vTzq7LmPw4sRb81YdNc';
const HASH = '$2b$12$abcdefghijklmnopqrstuuZoZMebQ5x5xOTWYkkWAqAZAIOH6WlLa';

test.each<[Product, object, object, string]>([
  [
    'keycloak',
    { clientId: 'a', redirectUris: ['https://a.example/'], secret: SECRET },
    { client_secret: SECRET },
    'secret',
  ],
  ['hydra', { ...CLIENT, client_secret: HASH }, { client_secret_hash: HASH }, 'client_secret'],
  ['hydra', { ...CLIENT, client_secret: SECRET }, { client_secret: SECRET }, 'client_secret'],
  ['seacat', { ...CLIENT, __client_secret: HASH }, { client_secret_hash: HASH }, '__client_secret'],
  ['oidc-provider', { ...CLIENT, client_secret: SECRET }, { client_secret: SECRET }, 'client_secret'],
  [
    'auth0',
    { client_id: 'a', name: 'A', callbacks: ['https://a.example/'], client_secret: SECRET },
    { client_secret: SECRET },
    'client_secret',
  ],
  [
    'authentik',
    {
      client_id: 'a',
      name: 'A',
      redirect_uris: 'https://a.example/',
      client_type: 'confidential',
      client_secret: SECRET,
    },
    { client_secret: SECRET },
    'client_secret',
  ],
  [
    'csv',
    { ...CLIENT, redirect_uris: 'https://a.example/', client_secret: SECRET },
    { client_secret: SECRET },
    'client_secret',
  ],
  [
    'csv',
    { ...CLIENT, redirect_uris: 'https://a.example/', client_secret_hash: HASH },
    { client_secret_hash: HASH },
    'client_secret_hash',
  ],
])(
  '%s: the declaration has the secret, and the report says where it comes from',
  (product, client, secret, from) => {
    const { declaration, mapped, result, newSecret, bringsSecret } = converted(product, client)!;
    expect([result, newSecret, bringsSecret]).toEqual(['imported', false, true]);
    expect(declaration).toMatchObject(secret);
    expect(mapped).toContainEqual({ field: Object.keys(secret)[0], from: [from] });
  },
);

test.each([
  [1_900_000_000, 1_900_000_000],
  ['1900000000', 1_900_000_000],
  ['2030-03-17T17:46:40Z', 1_900_000_000],
  [{ $date: '2030-03-17T17:46:40Z' }, 1_900_000_000],
  [{ $date: { $numberLong: '1900000000000' } }, 1_900_000_000],
  [0, undefined],
  [null, undefined],
])('a secret that expires at %j does so here', (given, expected) => {
  const client = { ...CLIENT, __client_secret: HASH, client_secret_expires_at: given };
  const { declaration } = converted('seacat', client)!;
  expect(declaration).toMatchObject({ client_secret_hash: HASH });
  expect(declaration?.['client_secret_expires_at']).toBe(expected);
});

test.each([
  [
    { client_secret: SECRET, client_secret_expires_at: 'soon' },
    'its expiry cannot be read, so it is not imported',
  ],
  [{ client_secret: '**********' }, 'the export does not contain it, only a placeholder'],
  [{ client_secret: '${vault.a}' }, 'the export does not contain it, only a placeholder'],
  [{ client_secret: { deep: SECRET } }, 'secrets are not imported'],
])('%j is not imported, and the Client gets a new secret', (secret, reason) => {
  const { declaration, dropped, newSecret } = converted('oidc-provider', { ...CLIENT, ...secret })!;
  expect(dropped).toEqual([{ field: 'client_secret', reason }]);
  expect(newSecret).toBe(true);
  expect(declaration).not.toHaveProperty('client_secret');
});

test.each([-1, '-5', '1.5', true, { $date: { $numberLong: '' } }, { $date: '1969-12-31' }])(
  'a secret that expires at %j is not imported',
  (expiry) => {
    const secret = { client_secret: SECRET, client_secret_expires_at: expiry };
    const { dropped, declaration } = converted('oidc-provider', { ...CLIENT, ...secret })!;
    expect(dropped.map(({ field }) => field)).toEqual(['client_secret']);
    expect(declaration).not.toHaveProperty('client_secret');
  },
);

test('old secrets and registration access tokens never come along', () => {
  const { clients } = convertClients('keycloak', sampleJson('keycloak-realm.json'), {
    ...{ capabilities: WIDE, newId: () => 'new-id', withSecrets: true },
  });
  const client = {
    ...CLIENT,
    registration_access_token: 's3cr3t',
    rotated_secrets: ['s3cr3t'],
    client_secret: SECRET,
  };
  expect(JSON.stringify([clients, converted('hydra', client)])).not.toMatch(/s3cr3t|rotated-/);
});
