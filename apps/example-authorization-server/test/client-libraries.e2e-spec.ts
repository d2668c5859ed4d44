import { jest } from '@jest/globals';
import { recordSecrets } from '@svc/test-servers';
import {
  type ClientLibrary,
  oauth4webapi,
  openidClientV5,
  openidClientV6,
} from './support/client-libraries.js';
import { signInByForm } from './support/sign-in-by-form.js';
import { Stage } from './support/stage.js';

jest.setTimeout(120_000);

const CALLBACK = 'http://127.0.0.1:9/cb';

let stage: Stage;
let initialAccessToken: string;
beforeAll(async () => {
  stage = await Stage.set();
  ({ token: initialAccessToken } = await stage.registry.mint(['clients:register']));
});
afterAll(async () => stage.strike());

const LIBRARIES: readonly [string, ClientLibrary][] = [
  ['openid-client 5', openidClientV5],
  ['openid-client 6', openidClientV6],
  ['oauth4webapi', oauth4webapi],
];

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

test.each(LIBRARIES.flatMap(([name, library]) => METHODS.map((method) => [name, method, library] as const)))(
  '%s registers with the method %s and signs in by authorization code and PKCE',
  async (_name, token_endpoint_auth_method, library) => {
    const registration = {
      client_name: 'Library',
      redirect_uris: [CALLBACK] as [string],
      token_endpoint_auth_method,
    };
    const { client, subject } = await library(
      stage.example.server,
      initialAccessToken,
      registration,
      async (address) => signInByForm(address, CALLBACK),
    );
    expect(subject).toBe('Ada Lovelace');
    expect(client).toMatchObject({ token_endpoint_auth_method });
    expect(Object.hasOwn(client, 'client_secret')).toBe(token_endpoint_auth_method !== 'none');
    if (client['client_secret'] !== undefined) recordSecrets(String(client['client_secret']));
  },
);
