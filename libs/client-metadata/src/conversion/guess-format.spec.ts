import { parse } from 'yaml';
import { sample } from '../../test/convert-samples.js';
import { guessFormat } from './guess-format.js';

const json = (name: string): unknown => JSON.parse(sample(name));
const lines = (name: string): unknown =>
  sample(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test.each([
  ['keycloak', json('keycloak-realm.json')],
  ['hydra', json('hydra-clients.json')],
  ['auth0', json('auth0-clients.json')],
  ['authentik', json('authentik-providers.json')],
  ['authentik', parse(sample('authentik-blueprint.yaml'), { logLevel: 'silent' })],
  ['oidc-provider', json('oidc-provider-clients.json')],
  ['seacat', lines('seacat-clients.ndjson')],
  [
    'declarations',
    [{ client_id: 'shop', client_name: 'Shop', 'client_name#de': 'Laden', redirect_uris: [] }],
  ],
  ['declarations', { client_name: 'Shop', redirect_uris: ['https://shop.example.com/cb'] }],
  ['declarations', [{ client_id: 'a', client_id_issued_at: 1, warnings: [], enabled: true }]],
])('%s is recognised by its fields', (format, document) => {
  expect(guessFormat(document)).toBe(format);
});

test.each([
  [{ name: 'svc', version: '1.0.0' }],
  [[]],
  ['text'],
  [null],
  [[['a']]],
  [{ clients: [{ a: 1 }] }],
])('%j resembles no format', (document) => {
  expect(guessFormat(document)).toBeUndefined();
});
