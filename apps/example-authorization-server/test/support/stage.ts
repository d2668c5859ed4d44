import { Door } from './door.js';
import { Example } from './example.js';
import { Registry } from './registry.js';

/** A registry, the authorization server using it, and a proxy between them. */
export class Stage {
  private constructor(
    readonly registry: Registry,
    readonly door: Door,
    readonly example: Example,
    /** The id of the authorization server's API token. */
    readonly serverTokenId: string,
  ) {}

  static async set(): Promise<Stage> {
    const registry = await Registry.start();
    const door = await Door.open(() => registry.url);
    const server = await registry.mint(['clients:read', 'clients:check']);
    const developers = await registry.mint(['clients:register']);
    const example = await Example.start(door.url, server.token, developers.token);
    await example.says(/change feed: following/);
    return new Stage(registry, door, example, server.id);
  }

  async strike(): Promise<void> {
    await this.example.stop();
    await this.door.close();
    await this.registry.stop();
  }

  /** Sends an authorization request. */
  async authorize(parameters: Readonly<Record<string, string>>): Promise<Outcome> {
    const query = new URLSearchParams({ ...REQUEST, ...parameters });
    const response = await fetch(`${this.example.server}/auth?${query.toString()}`, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
    });
    const location = response.headers.get('location');
    return { status: response.status, headers: response.headers, location, text: await response.text() };
  }

  /** Authenticates as a Client at the token endpoint with an invalid code: 400 means that the secret is valid. */
  async authenticate(clientId: string, secret: string, method: 'basic' | 'post' = 'basic'): Promise<Outcome> {
    const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: REQUEST.redirect_uri };
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
    const response = await fetch(`${this.example.server}/token`, {
      method: 'POST',
      ...(method === 'basic' && {
        headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      }),
      body: new URLSearchParams(
        method === 'basic' ? form : { ...form, client_id: clientId, client_secret: secret },
      ),
    });
    return {
      status: response.status,
      headers: response.headers,
      location: null,
      text: await response.text(),
    };
  }
}

export interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly text: string;
}

/** An authorization request allowed for every Client in these tests. */
const REQUEST = {
  response_type: 'code',
  scope: 'openid',
  redirect_uri: 'https://shop.example/cb',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
