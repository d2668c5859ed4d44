import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import { listen } from '../http/listening.js';
import { escaped, sendPage } from '../http/page.js';
import { register, type Registered } from './register.js';

export interface ApplicationOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly issuer: string;
  /** With the scope `clients:register`. */
  readonly initialAccessToken: string;
}

export interface Application {
  readonly url: string;
  readonly clientId: string;
  /** Deletes its Client at the registry. */
  stop(): Promise<void>;
}

/** A relying party: registers itself, signs users in with an authorization code and PKCE, and shows who they are. */
export async function startApplication(options: ApplicationOptions): Promise<Application> {
  const listening = await listen(options.port, 'APPLICATION_PORT');
  const registered = await register(options.issuer, `${listening.url}/callback`, options.initialAccessToken);
  const signIn = new SignIn(registered.configuration, listening.url);
  listening.answerWith((request, response) => {
    signIn.answer(request, response).catch((error: unknown) => sendFailure(response, error));
  });
  return {
    url: listening.url,
    clientId: registered.configuration.clientMetadata().client_id,
    stop: async () => {
      await listening.stop();
      await registered.remove();
    },
  };
}

class SignIn {
  private readonly sessions = new Sessions();

  constructor(
    private readonly configuration: Registered['configuration'],
    private readonly url: string,
  ) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    if (pathname === '/sign-in') return this.begin(response);
    if (pathname === '/callback') return this.complete(request, response);
    if (pathname !== '/') return sendPage(response, 'Not found', '', 404);
    const claims = this.sessions.of(request)?.claims;
    if (!claims) return sendPage(response, 'Example application', '<p><a href="/sign-in">Sign in</a></p>');
    sendPage(response, `Hello, ${String(claims['name'])}`, listOf(claims));
  }

  private async begin(response: ServerResponse): Promise<void> {
    const verifier = client.randomPKCECodeVerifier();
    const underWay = { verifier, state: client.randomState(), nonce: client.randomNonce() };
    this.sessions.begin(response, { underWay });
    const address = client.buildAuthorizationUrl(this.configuration, {
      redirect_uri: `${this.url}/callback`,
      scope: 'openid profile',
      state: underWay.state,
      nonce: underWay.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    redirect(response, address.href);
  }

  private async complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const underWay = this.sessions.of(request)?.underWay;
    if (!underWay) return sendPage(response, 'Unexpected response', '<p><a href="/">Start over</a></p>', 400);
    const tokens = await client.authorizationCodeGrant(
      this.configuration,
      new URL(request.url ?? '', this.url),
      {
        pkceCodeVerifier: underWay.verifier,
        expectedState: underWay.state,
        expectedNonce: underWay.nonce,
      },
    );
    const subject = tokens.claims()?.sub ?? '';
    const claims = await client.fetchUserInfo(this.configuration, tokens.access_token, subject);
    this.sessions.begin(response, { claims });
    redirect(response, '/');
  }
}

function listOf(claims: Readonly<Record<string, unknown>>): string {
  const items = Object.entries(claims).map(
    ([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd>`,
  );
  return `<dl>${items.join('')}</dl>`;
}

function redirect(response: ServerResponse, address: string): void {
  response.writeHead(303, { location: address, 'cache-control': 'no-store' }).end();
}

/** The authorization server's error descriptions are meant for developers, who are this page's readers. */
function sendFailure(response: ServerResponse, error: unknown): void {
  const { error: code, error_description: description, message } = error as Record<string, unknown>;
  const words = [code, description ?? message].filter((word) => typeof word === 'string').join(': ');
  sendPage(response, 'The sign-in failed', `<p>${escaped(words)}</p><p><a href="/">Start over</a></p>`, 502);
}

/** A browser's session. */
interface Session {
  /** Values that the response of a pending sign-in must match. */
  underWay?: { readonly verifier: string; readonly state: string; readonly nonce: string };
  claims?: Readonly<Record<string, unknown>>;
}

const COOKIE = 'example_session';

const LIFETIME_MS = 3_600_000;

/** An application's sessions, identified by a cookie and kept for an hour. */
class Sessions {
  private readonly known = new LRUCache<string, Session>({ max: 1_000, ttl: LIFETIME_MS });

  of(request: IncomingMessage): Session | undefined {
    const id = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
    return id === undefined ? undefined : this.known.get(id);
  }

  /** Always creates a new id, which prevents session fixation. */
  begin(response: ServerResponse, session: Session): void {
    const id = randomBytes(16).toString('base64url');
    this.known.set(id, session);
    response.setHeader('set-cookie', `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=/`);
  }
}
