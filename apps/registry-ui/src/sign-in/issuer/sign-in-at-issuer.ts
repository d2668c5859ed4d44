import { signIn } from '../../api/session.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { text } from '../../texts/text.js';
import { verifyToken } from '../../api/verify-token.js';
import { redeemCode } from './access-tokens.js';
import { type CodeRequest, createCodeRequest } from './code-request.js';
import { waitForAnswer, rejectWhenClosed, openPopup, notifyOpener } from './popup.js';

/** What is kept while this tab is away at the issuer, and where it is to go afterwards. */
interface PendingSignIn {
  readonly request: CodeRequest;
  readonly path: string;
}

const PENDING_KEY = 'registry-away';

/** Leads this tab to the issuer, and back to the present address. @throws {Error} for people */
export async function redirectToIssuer(oidc: IssuerSignIn): Promise<void> {
  const { request, address } = await createCodeRequest(oidc);
  const away: PendingSignIn = { request, path: location.pathname + location.search };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(away));
  location.assign(address);
}

/**
 * Signs in in a window beside this one, whose screen stays as it is. An answer that comes after it failed counts all the
 * same: a window may look closed that is not.
 *
 * @throws {Error} for people, also when the browser opens no window, or it was closed
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
  // What fails after somebody has started again is of no interest to anybody.
  await Promise.race([answer, rejectWhenClosed(beside)]).catch((error: unknown) => {
    signedIn.catch(() => undefined);
    throw error;
  });
  await signedIn;
}

/**
 * Goes on where the issuer sent people back to.
 *
 * @returns the address to open; nothing where a window beside another has told that one, and is to be closed
 * @throws {Error} for people, also when nobody waits for the answer
 */
export async function completeSignIn(query: string, oidc: IssuerSignIn): Promise<string | undefined> {
  const answer = new URLSearchParams(query);
  const away = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? 'null') as PendingSignIn | null;
  if (away?.request.state !== answer.get('state')) {
    if (!(await notifyOpener(query))) throw new Error(text('issuer.mixedUp'));
    window.close();
    return undefined;
  }
  // A code is good for once; so is what was kept for it.
  sessionStorage.removeItem(PENDING_KEY);
  await enter(answer, away.request, oidc);
  return away.path;
}

async function enter(answer: URLSearchParams, request: CodeRequest, oidc: IssuerSignIn): Promise<void> {
  const { token, renewal } = await redeemCode(answer, request, oidc);
  await verifyToken(token);
  signIn(token, renewal);
}
