import { ISSUER_DEADLINE_MS, withDeadline } from '../../api/deadline.js';
import { currentSession, onSessionChange, type Renewal, signIn } from '../../api/session.js';
import { type IssuerSignIn, settings } from '../../api/settings.js';
import { text } from '../../texts/sign-in.js';
import type { CodeRequest } from './code-request.js';

/** An access token, and how to renew it if the issuer supports that. */
interface AccessToken {
  readonly token: string;
  readonly renewal?: Renewal;
}

/** Tokens are renewed this early, or when half of their lifetime is over: clocks differ, and requests take time. */
const RENEW_AHEAD_MS = 60_000;

/** After a renewal that failed, perhaps because the network was away for a moment. */
const RETRY_MS = 10_000;

/**
 * Redeems an authorization code (RFC 6749 section 4.1.3).
 *
 * @param answer the query parameters of the redirect
 * @throws {Error} with a message for the user, if the issuer refused or the response belongs to another request
 */
export async function redeemCode(
  answer: URLSearchParams,
  request: CodeRequest,
  oidc: IssuerSignIn,
): Promise<AccessToken> {
  const issuer = answer.get('iss');
  // RFC 9207 section 2.4: reject responses of other issuers.
  const foreign = answer.get('state') !== request.state || (issuer !== null && issuer !== oidc.issuer);
  if (foreign) throw new Error(text('issuer.mixedUp'));
  const error = answer.get('error');
  if (error !== null) {
    throw new Error(text('issuer.refused', { reason: answer.get('error_description') ?? error }));
  }
  return requestToken(request.tokenEndpoint, oidc, {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: request.redirectUri,
    code_verifier: request.verifier,
  });
}

/** Exchanges a refresh token for new tokens (RFC 6749 section 6). @throws {Error} if the issuer refuses */
async function renewToken(
  { refreshToken, tokenEndpoint }: Renewal,
  oidc: IssuerSignIn,
): Promise<AccessToken> {
  return requestToken(tokenEndpoint, oidc, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

async function requestToken(
  tokenEndpoint: string,
  oidc: IssuerSignIn,
  parameters: Readonly<Record<string, string>>,
): Promise<AccessToken> {
  const asked = Date.now();
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    signal: withDeadline(ISSUER_DEADLINE_MS),
    body: new URLSearchParams({
      client_id: oidc.client_id,
      ...(oidc.resource !== undefined && { resource: oidc.resource }),
      ...parameters,
    }),
  }).catch(() => undefined);
  if (!response) throw new Error(text('issuer.unreachable', { issuer: oidc.issuer }));
  const body = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const { access_token: token, refresh_token, expires_in, error_description, error } = body;
  if (typeof token !== 'string') {
    const reason = [error_description, error].find((words) => typeof words === 'string');
    throw new Error(text('issuer.refused', { reason: reason ?? String(response.status) }));
  }
  // An issuer that returns no new refresh token keeps accepting the old one.
  const refreshToken = typeof refresh_token === 'string' ? refresh_token : parameters['refresh_token'];
  if (refreshToken === undefined || typeof expires_in !== 'number') return { token };
  const lifetime = expires_in * 1000;
  const dueAt = asked + lifetime - Math.min(RENEW_AHEAD_MS, lifetime / 2);
  return { token, renewal: { refreshToken, tokenEndpoint, dueAt } };
}

/** Timers hold 31 bits of milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Renews the session's token shortly before it expires, as long as the page is open and the issuer agrees. */
export function keepSessionRenewed(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = (earliestMs: number) => {
    clearTimeout(timer);
    const renewal = currentSession()?.renewal;
    if (!renewal) return;
    const wait = Math.min(Math.max(renewal.dueAt - Date.now(), earliestMs), LONGEST_TIMER_MS);
    timer = setTimeout(() => void attempt(), wait);
  };
  const attempt = async () => {
    if (await renew()) schedule(RETRY_MS);
  };
  onSessionChange(() => schedule(0));
  schedule(0);
}

/**
 * If the issuer refuses, the session ends with its token and the user is asked to sign in again.
 *
 * @returns whether to try again: it failed, and the token may still be valid
 */
async function renew(): Promise<boolean> {
  const session = currentSession();
  if (!session?.renewal || session.ended || !settings.oidc) return false;
  const fresh = await renewToken(session.renewal, settings.oidc).catch(() => undefined);
  if (currentSession()?.token !== session.token) return false;
  if (fresh) signIn(fresh.token, fresh.renewal);
  return fresh === undefined && Date.now() < session.renewal.dueAt + RENEW_AHEAD_MS;
}
