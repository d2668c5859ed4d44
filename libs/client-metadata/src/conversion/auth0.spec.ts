import { convert, declarations, drops, sampleJson } from '../../test/convert-samples.js';

test("Auth0's own Client is skipped; its own grant types and wildcard callbacks are dropped", () => {
  const clients = convert('auth0', sampleJson('auth0-clients.json'));
  expect(clients.map(({ result }) => result)).toEqual(['skipped', 'imported', 'imported']);
  expect(declarations(clients)).toEqual([
    {
      client_id: 'BookingClientId00000000000000000',
      client_name: 'Booking',
      redirect_uris: ['https://booking.example.com/callback'],
      application_type: 'web',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    {
      client_id: 'BookingSpaClientId00000000000000',
      client_name: 'Booking in the browser',
      redirect_uris: ['https://spa.booking.example.com/'],
      application_type: 'web',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
  ]);
  expect(drops(clients[1])).toEqual(
    expect.arrayContaining(['client_secret', 'callbacks/1', 'grant_types/2']),
  );
});

test('an Auth0 application with keys does not fit', () => {
  const [client] = convert('auth0', [
    {
      name: 'A',
      client_id: 'a',
      callbacks: ['https://a.example/'],
      client_authentication_methods: { private_key_jwt: {} },
    },
  ]);
  expect(client?.violations.map(({ field, from }) => [field, from])).toEqual([
    ['/token_endpoint_auth_method', ['client_authentication_methods']],
  ]);
});
