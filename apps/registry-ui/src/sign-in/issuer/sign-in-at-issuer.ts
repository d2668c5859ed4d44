import { signIn } from '../../api/session.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { text } from '../../texts/text.js';
import { tryToken } from '../../api/try-token.js';
import { redeemCode } from './access-tokens.js';
import { type CodeRequest, newCodeRequest } from './code-request.js';
import { answerTo, closingOf, openBeside, tellOpener } from './window-beside.js';

/** What is kept while this tab is away at the issuer, and where it is to go afterwards. */
interface Away {
  readonly request: CodeRequest;
  readonly path: string;
}

const AWAY_KEY = 'registry-away';

/** Leads this tab to the issuer, and back to the present address. @throws {Error} for people */
export async function leaveForIssuer(oidc: IssuerSignIn): Promise<void> {
  const { request, address } = await newCodeRequest(oidc);
  const away: Away = { request, path: location.pathname + location.search };
  sessionStorage.setItem(AWAY_KEY, JSON.stringify(away));
  location.assign(address);
}

/**
 * Signs in in a window beside this one, whose screen stays as it is. An answer that comes after it failed counts all the
 * same: a window may look closed that is not.
 *
 * @throws {Error} for people, also when the browser opens no window, or it was closed
 */
export async function signInBeside(oidc: IssuerSignIn): Promise<void> {
  const beside = openBeside();
  const { request, address } = await newCodeRequest(oidc).catch((error: unknown) => {
    beside.close();
    throw error;
  });
  const answer = answerTo(request.state);
  const signedIn = answer.then(async (query) => enter(query, request, oidc));
  beside.location.assign(address);
  // What fails after somebody has started again is of no interest to anybody.
  await Promise.race([answer, closingOf(beside)]).catch((error: unknown) => {
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
export async function comeBack(query: string, oidc: IssuerSignIn): Promise<string | undefined> {
  const answer = new URLSearchParams(query);
  const away = JSON.parse(sessionStorage.getItem(AWAY_KEY) ?? 'null') as Away | null;
  if (away?.request.state !== answer.get('state')) {
    if (!(await tellOpener(query))) throw new Error(text('issuer.mixedUp'));
    window.close();
    return undefined;
  }
  // A code is good for once; so is what was kept for it.
  sessionStorage.removeItem(AWAY_KEY);
  await enter(answer, away.request, oidc);
  return away.path;
}

async function enter(answer: URLSearchParams, request: CodeRequest, oidc: IssuerSignIn): Promise<void> {
  const { token, renewal } = await redeemCode(answer, request, oidc);
  await tryToken(token);
  signIn(token, renewal);
}
