import type { QuickstartClient } from './application.js';
import { quickstartsFor } from './quickstarts.js';

const client = (overrides: Partial<QuickstartClient> = {}): QuickstartClient => ({
  client_id: 'shop',
  redirect_uris: ['https://shop.example/cb'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  code_challenge_method: 'S256',
  ...overrides,
});

const codeOf = (id: string, of: QuickstartClient, issuer = 'https://as.example') => {
  const application = { client: of, issuer };
  return (
    quickstartsFor(application)
      .find((each) => each.id === id)
      ?.write(application) ?? ''
  );
};

const ALL = ['openid-client', 'oauth4webapi', 'spring', 'django', 'aspnet', 'curl'];

test.each(ALL)('%s: a secret only where one is used, and never in the code', (id) => {
  expect(codeOf(id, client())).not.toContain('CLIENT_SECRET');
  if (id === 'curl') return;
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    expect(codeOf(id, client({ token_endpoint_auth_method: method }))).toContain('CLIENT_SECRET');
  }
});

test.each(['openid-client', 'oauth4webapi', 'django', 'curl'])(
  '%s: PKCE where the client asks for it',
  (id) => {
    expect(codeOf(id, client())).toContain('S256');
    expect(codeOf(id, client({ code_challenge_method: 'none' }))).not.toContain('S256');
  },
);

test('a client without users gets no code to sign them in', () => {
  const service = client({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  for (const id of ALL) expect(codeOf(id, service)).not.toContain('shop.example');
  expect(codeOf('curl', service)).toContain(`--user 'shop:'"$CLIENT_SECRET"`);
});

test('an id with special characters stays one shell word', () => {
  expect(codeOf('curl', client({ client_id: "a/b'; rm -rf $HOME #" }))).toContain(
    `--data-urlencode 'client_id=a/b'\\''; rm -rf $HOME #' \\\n`,
  );
});

test.each(['openid-client', 'oauth4webapi', 'curl'])('%s: PKCE without hashing', (id) => {
  const code = codeOf(id, client({ code_challenge_method: 'plain' }));
  expect(code).toContain('plain');
  expect(code).not.toMatch(/S256|calculatePKCECodeChallenge|sha256/);
});

test('what supports S256 only is not offered without hashing', () => {
  const shown = (of: QuickstartClient) =>
    quickstartsFor({ client: of, issuer: 'https://as.example' }).map(({ id }) => id);
  expect(shown(client())).toEqual(ALL);
  expect(shown(client({ code_challenge_method: 'plain' }))).toEqual([
    'openid-client',
    'oauth4webapi',
    'curl',
  ]);
});

test.each(['openid-client', 'oauth4webapi'])(
  '%s: a client with a key is never said to have no secret',
  (id) => {
    expect(codeOf(id, client({ token_endpoint_auth_method: 'private_key_jwt' }))).toContain(
      'PrivateKeyJwt(privateKey)',
    );
  },
);
