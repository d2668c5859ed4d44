import { convert, declarations, drops, sampleJson } from '../../test/convert-samples.js';

test("node-oidc-provider's defaults are written where ours differ", () => {
  const clients = convert('oidc-provider', sampleJson('oidc-provider-clients.json'));
  expect(declarations(clients)).toMatchObject([
    { client_id: 'crm', token_endpoint_auth_method: 'client_secret_basic', response_types: ['code'] },
    {
      client_id: 'field-app',
      client_name: 'field-app',
      application_type: 'native',
      grant_types: ['authorization_code'],
    },
  ]);
  expect(drops(clients[0])).toEqual(['client_secret', 'post_logout_redirect_uris', 'backchannel_logout_uri']);
});
