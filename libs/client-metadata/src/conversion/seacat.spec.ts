import { convert, declarations, drops, sample } from '../../test/convert-samples.js';

test('documents of SeaCat Auth keep all fields that both have', () => {
  const clients = convert(
    'seacat',
    sample('seacat-clients.ndjson')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  );
  expect(declarations(clients)).toEqual([
    {
      client_id: 'asab-webui',
      client_name: 'Web console',
      redirect_uris: ['https://console.example.com/'],
      application_type: 'web',
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'none',
      code_challenge_method: 'none',
      redirect_uri_validation_method: 'prefix_match',
      login_uri: 'https://console.example.com/auth/#/login',
      session_expiration: 36_000,
    },
    {
      client_id: 'kibana',
      client_name: 'Kibana',
      redirect_uris: ['https://logs.example.com/kibana'],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
      cookie_entry_uri: 'https://logs.example.com/auth/api/cookie-entry',
      cookie_domain: 'example.com',
      authorize_anonymous_users: false,
    },
  ]);
  expect(clients.map(drops)).toEqual([['default_max_age'], ['__client_secret', 'seacatauth_credentials']]);
  expect(clients.map(({ newSecret }) => newSecret)).toEqual([false, true]);
});
