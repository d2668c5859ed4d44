import { type Capabilities, extendCapabilities } from '../fields/capabilities.js';
import { convertClients } from './convert-clients.js';
import { parseCsvRows } from './parse-csv.js';
import { notConfigured, REASONS } from './reasons.js';
import { convert, declarations, drops, sample, sampleJson, WIDE } from '../../test/convert-samples.js';

describe('Ory Hydra', () => {
  test('names stay; the default response type is left out where no grant type uses it', () => {
    const clients = convert('hydra', sampleJson('hydra-clients.json'));
    expect(declarations(clients)).toEqual([
      {
        client_id: '3f1c8c7e-2d4b-4a53-9f0b-7b5e2a1c0d11',
        client_name: 'Ledger',
        client_uri: 'https://ledger.example.com/',
        contacts: ['finance@example.com'],
        redirect_uris: ['https://ledger.example.com/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
      {
        client_id: 'nightly-export',
        client_name: 'nightly-export',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ]);
    expect(drops(clients[1])).toEqual(['scope', 'response_types/0']);
  });

  test('columns of the table mean the same, with lists in JSON or separated by |', () => {
    const clients = convert('hydra', parseCsvRows(sample('hydra-client.csv')));
    expect(
      declarations(clients).map(({ client_id, redirect_uris, grant_types }) => [
        client_id,
        redirect_uris,
        grant_types,
      ]),
    ).toEqual([
      [
        '3f1c8c7e-2d4b-4a53-9f0b-7b5e2a1c0d11',
        ['https://ledger.example.com/callback'],
        ['authorization_code', 'refresh_token'],
      ],
      [
        'old-portal',
        ['https://portal.example.com/a', 'https://portal.example.com/b'],
        ['authorization_code', 'refresh_token'],
      ],
    ]);
    expect(clients.map(drops)).toEqual([
      ['client_secret', 'scope', 'owner'],
      ['client_secret', 'scope'],
    ]);
  });

  test('a Client that may request no scope there is reported, since it could request any here', () => {
    const lost = (capabilities: Capabilities, client: object) =>
      convertClients('hydra', [{ client_id: 'a', redirect_uris: ['https://a.example/'], ...client }], {
        ...{ capabilities, newId: () => '' },
      }).clients[0]?.dropped;
    const withScope = extendCapabilities({
      optional_fields: ['scope'],
      token_endpoint_auth_method: ['client_secret_basic'],
    });
    for (const client of [{ scope: '' }, { scope: null }]) {
      expect(lost(withScope, client)).toEqual([{ field: 'scope', reason: REASONS.emptyScope }]);
      expect(lost(WIDE, client)).toEqual([{ field: 'scope', reason: notConfigured('scope') }]);
    }
    expect(lost(withScope, { scope: 'openid' })).toEqual([]);
  });

  test('a page that is not the last is reported as incomplete', () => {
    const incomplete = (document: unknown) =>
      convertClients('hydra', document, { capabilities: WIDE, newId: () => '' }).incomplete;
    expect(incomplete({ items: [], next_page_token: 'x', is_last_page: false })).toBe(true);
    expect(incomplete({ items: [], next_page_token: '', is_last_page: true })).toBe(false);
  });
});
