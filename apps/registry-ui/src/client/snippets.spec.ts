import type { ClientDocument } from '../api/client-documents.js';
import { snippetsOf } from './snippets.js';

const client = (overrides: Partial<ClientDocument> = {}): ClientDocument => ({
  client_id: 'shop',
  client_id_issued_at: 1_767_225_600,
  enabled: true,
  client_secrets: [],
  client_name: 'Shop',
  redirect_uris: ['https://shop.example/cb'],
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  code_challenge_method: 'S256',
  redirect_uri_validation_method: 'full_match',
  cookie_name: 'SvcClient_x',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  warnings: [],
  ...overrides,
});

const codeOf = (title: string, of: ClientDocument) =>
  snippetsOf(of, 'http://127.0.0.1:8081').find((snippet) => snippet.title.startsWith(title))?.code ?? '';

test('a public Client has no secret in its snippets, and PKCE where it asks for it', () => {
  const all = snippetsOf(client(), 'http://r').map(({ code }) => code);
  expect(all.join('\n')).not.toContain('CLIENT_SECRET');
  expect(codeOf('openid-client', client())).toContain("code_challenge_method: 'S256'");
  expect(codeOf('openid-client', client({ code_challenge_method: 'none' }))).not.toContain('challenge');
});

test('the secret of a confidential Client comes from the environment', () => {
  const confidential = client({ token_endpoint_auth_method: 'client_secret_post' });
  expect(codeOf('openid-client', confidential)).toContain(
    'client.ClientSecretPost(process.env.CLIENT_SECRET)',
  );
  expect(codeOf('Spring', confidential)).toContain('client-secret: ${CLIENT_SECRET}');
});

test('an id with special characters stays one shell word and one path segment', () => {
  expect(codeOf('curl', client({ client_id: "a/b'; rm -rf $HOME #" }))).toBe(
    `curl -H "Authorization: Bearer $REGISTRY_TOKEN" 'http://127.0.0.1:8081/client/a%2Fb'\\''%3B%20rm%20-rf%20%24HOME%20%23'`,
  );
});
