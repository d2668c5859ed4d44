import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { extendCapabilities } from '../fields/capabilities.js';
import { convertClients } from './convert-clients.js';
import { convert, declarations, drops, sampleJson } from '../../test/convert-samples.js';

describe('Keycloak', () => {
  const clients = convert('keycloak', sampleJson('keycloak-realm.json'));

  test('flows, authentication, PKCE and addresses become our fields', () => {
    expect(declarations(clients)).toEqual([
      {
        client_id: 'web-shop',
        client_name: 'Web shop',
        description: "The shop's web application",
        client_uri: 'https://shop.example.com/',
        redirect_uris: ['https://shop.example.com/login/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
        code_challenge_method: 'S256',
        session_expiration: 36_000,
        enabled: true,
      },
      {
        client_id: 'stock-sync',
        client_name: 'stock-sync',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'client_secret_basic',
        enabled: true,
      },
    ]);
  });

  test("its own Clients and SAML's are skipped, with the reason", () => {
    expect(
      clients.filter(({ result }) => result === 'skipped').map(({ clientId, reason }) => [clientId, reason]),
    ).toEqual([
      ['account', 'Keycloak creates it in each realm'],
      ['https://wiki.example.com/saml', 'its protocol is not OpenID Connect'],
    ]);
  });

  test('what the registry would reject invalid, and the field it comes from is named', () => {
    const [robot] = clients.filter(({ result }) => result === 'invalid');
    expect(robot).toMatchObject({
      pointer: '/clients/3',
      clientId: 'price-robot',
      violations: [
        {
          field: '/token_endpoint_auth_method',
          code: 'value_not_supported',
          from: ['clientAuthenticatorType', 'publicClient'],
        },
      ],
    });
    expect(robot).not.toHaveProperty('declaration');
  });

  test('each field that is lost is reported; empty and internal ones are not', () => {
    expect(drops(clients[1])).toEqual([
      ...['secret', 'webOrigins', 'defaultClientScopes'],
      ...['attributes.post.logout.redirect.uris', 'redirectUris/1'],
    ]);
  });

  const redirects = (...redirectUris: string[]) => {
    const [client] = convert('keycloak', [{ clientId: 'a', publicClient: true, redirectUris }]);
    return [client?.declaration?.['redirect_uris'], client?.declaration?.['redirect_uri_validation_method']];
  };

  test('wildcards become prefixes only if no exact redirect URI would become one, too', () => {
    expect(redirects('https://a.example/*', 'https://b.example/x/*')).toEqual([
      ['https://a.example/', 'https://b.example/x/'],
      'prefix_match',
    ]);
    expect(redirects('https://a.example/cb', 'https://a.example/*')).toEqual([
      ['https://a.example/cb'],
      undefined,
    ]);
  });

  test('that Keycloak also accepts a prefix without its slash is reported once', () => {
    const lost = (...redirectUris: string[]) =>
      convert('keycloak', [{ clientId: 'a', publicClient: true, redirectUris }])[0]?.dropped;
    const reason = 'Keycloak also accepts https://spa.example; the registry does not';
    expect(lost('https://spa.example/*')).toEqual([{ field: 'redirectUris/0', reason }]);
    expect(lost('https://spa.example/*', 'https://b.example/x/*')).toEqual([
      { field: 'redirectUris/0', reason: `${reason}; the same applies to the other patterns` },
    ]);
  });

  test.each(['*', 'https://*', 'https://a.example*', 'https://*.a.example/*', 'http://localhost:*'])(
    'the wildcard %s is not imported',
    (uri) => {
      expect(redirects(uri, 'https://a.example/cb')).toEqual([['https://a.example/cb'], undefined]);
      const [client] = convert('keycloak', [{ clientId: 'a', publicClient: true, redirectUris: [uri] }]);
      expect([client?.result, drops(client)]).toEqual(['invalid', ['redirectUris/0']]);
    },
  );

  test('the implicit flow brings the response types that Keycloak allows with it', () => {
    const [client] = convertClients(
      'keycloak',
      [
        {
          clientId: 'a',
          publicClient: true,
          redirectUris: ['https://a.example/'],
          implicitFlowEnabled: true,
        },
      ],
      {
        capabilities: extendCapabilities({
          grant_types: ['implicit', 'refresh_token'],
          response_types: [
            ...(CLIENT_FIELDS.find(({ name }) => name === 'response_types')?.optionalValues ?? []),
          ],
        }),
        newId: () => '',
      },
    ).clients;
    expect(client?.declaration?.['response_types']).toEqual([
      ...['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
    ]);
  });
});
