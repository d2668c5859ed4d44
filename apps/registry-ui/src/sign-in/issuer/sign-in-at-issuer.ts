import { signIn } from '../../api/session.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { tabStorage } from '../../api/tab-storage.js';
import { text } from '../../texts/sign-in.js';
import { verifyToken } from '../../api/verify-token.js';
import { redeemCode } from './access-tokens.js';
import { type CodeRequest, createCodeRequest } from './code-request.js';
import { waitForAnswer, rejectWhenClosed, openPopup, notifyOpener } from './popup.js';

/** State kept while this tab is at the issuer, and where to return. */
interface PendingSignIn {
  readonly request: CodeRequest;
  readonly path: string;
}

const PENDING_KEY = 'registry-away';

/** Redirects this tab to the issuer, to return to the current URL. @throws {Error} with a message for the user */
export async function redirectToIssuer(oidc: IssuerSignIn): Promise<void> {
  const { request, address } = await createCodeRequest(oidc);
  const away: PendingSignIn = { request, path: location.pathname + location.search };
  tabStorage.set(PENDING_KEY, JSON.stringify(away));
  if (tabStorage.get(PENDING_KEY) === null) throw new Error(text('issuer.unstored'));
  location.assign(address);
}

/**
 * Signs in in a popup, so that the screen stays. A response that arrives after a failure still counts: a popup may appear
 * closed when it is not.
 *
 * @throws {Error} with a message for the user, also if the popup is blocked or closed
 */
export async function signInWithPopup(oidc: IssuerSignIn): Promise<void> {
  const beside = openPopup();
  const { request, address } = await createCodeRequest(oidc).catch((error: unknown) => {
    beside.close();
    throw error;
  });
  const answer = waitForAnswer(request.state);
  const signedIn = answer.then(async (query) => enter(query, request, oidc));
  beside.location.assign(address);
  // Failures after the user has started again are irrelevant.
  await Promise.race([answer, rejectWhenClosed(beside)]).catch((error: unknown) => {
    signedIn.catch(() => undefined);
    throw error;
  });
  await signedIn;
}

/**
 * Continues after the issuer's redirect.
 *
 * @returns the URL to open; `undefined` in a popup that has notified its opener and is closing
 * @throws {Error} with a message for the user, also if no window waits for the response
 */
export async function completeSignIn(query: string, oidc: IssuerSignIn): Promise<string | undefined> {
  const answer = new URLSearchParams(query);
  const away = JSON.parse(tabStorage.get(PENDING_KEY) ?? 'null') as PendingSignIn | null;
  if (away?.request.state !== answer.get('state')) {
    if (!(await notifyOpener(query))) throw new Error(text('issuer.mixedUp'));
    window.close();
    return undefined;
  }
  // A code and its state are used only once.
  tabStorage.remove(PENDING_KEY);
  await enter(answer, away.request, oidc);
  return away.path;
}

async function enter(answer: URLSearchParams, request: CodeRequest, oidc: IssuerSignIn): Promise<void> {
  const { token, renewal } = await redeemCode(answer, request, oidc);
  await verifyToken(token);
  signIn(token, renewal);
}
