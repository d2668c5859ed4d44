import { ISSUER_DEADLINE_MS, withDeadline } from '../../api/deadline.js';
import { shareTokens } from '../../api/other-tabs.js';
import {
  continueSession,
  currentSession,
  onSessionChange,
  type Renewal,
  renewWith,
  type Session,
} from '../../api/session.js';
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
  let renewing: Promise<boolean> | undefined;
  const attempt = async () => {
    renewing ??= renewInTurn().finally(() => (renewing = undefined));
    if (await renewing) schedule(RETRY_MS);
  };
  renewWith(attempt);
  onSessionChange(() => schedule(0));
  // Timers do not count the time that a computer sleeps.
  for (const event of ['visibilitychange', 'pageshow', 'online']) addEventListener(event, () => schedule(0));
  schedule(0);
}

/** How long duplicated tabs have to take the new tokens. */
const SHARING_MS = 1_000;

/**
 * Renews while no duplicate of this tab does. Without locks, as over plain http or when site data is blocked, both do.
 *
 * @returns like `renew`
 */
async function renewInTurn(): Promise<boolean> {
  const session = currentSession();
  const locks = navigator.locks as LockManager | undefined;
  if (!session?.renewal || !locks) return renew(session);
  const { refreshToken } = session.renewal;
  return new Promise((resolve) => {
    locks
      .request(`registry-renewal ${refreshToken}`, async () => {
        resolve(await renew(session));
        await new Promise((done) => setTimeout(done, SHARING_MS));
      })
      .catch(async () => resolve(await renew(session)));
  });
}

/**
 * If the issuer refuses, the session ends with its token and the user is asked to sign in again.
 *
 * @returns whether to try again: it failed, and the token may still be valid
 */
async function renew(session: Session | undefined): Promise<boolean> {
  if (!session?.renewal || session !== currentSession() || !settings.oidc) return false;
  const fresh = await renewToken(session.renewal, settings.oidc).catch(() => undefined);
  if (currentSession()?.token !== session.token) return false;
  if (fresh) {
    continueSession(fresh.token, fresh.renewal);
    shareTokens({ replaced: session.renewal.refreshToken, ...fresh });
  }
  return fresh === undefined && Date.now() < session.renewal.dueAt + RENEW_AHEAD_MS;
}
