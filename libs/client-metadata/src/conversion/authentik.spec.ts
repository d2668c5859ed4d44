import { convert, declarations, drops, sampleJson } from '../../test/convert-samples.js';

test('authentik providers have the name of their application; patterns and logout URIs are dropped', () => {
  const clients = convert('authentik', sampleJson('authentik-providers.json'));
  expect(declarations(clients)).toEqual([
    {
      client_id: 'grafana',
      client_name: 'Grafana',
      redirect_uris: ['https://grafana.example.com/login/generic_oauth'],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
    {
      client_id: 'photos',
      client_name: 'Photo album',
      redirect_uris: ['https://photos.example.com/cb'],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'none',
    },
  ]);
  expect(clients[0]?.dropped.slice(-2)).toEqual([
    { field: 'redirect_uris/1', reason: 'a pattern; register each redirect URI with its full path' },
    {
      field: 'redirect_uris/2',
      reason: 'the registry supports post_logout_redirect_uris only if its configuration lists it',
    },
  ]);
});

test("authentik's former redirect URIs are lines of text", () => {
  const [client] = convert('authentik', [
    {
      client_type: 'public',
      client_id: 'a',
      name: 'A',
      redirect_uris: 'https://a.example/cb\nhttps://.*\\.a\\.example/cb\n',
    },
  ]);
  expect([client?.declaration?.['redirect_uris'], drops(client)]).toEqual([
    ['https://a.example/cb'],
    ['redirect_uris/1'],
  ]);
});
