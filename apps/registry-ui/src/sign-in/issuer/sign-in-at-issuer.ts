import { signIn } from '../../api/session.js';
import type { IssuerSignIn } from '../../api/settings.js';
import { text } from '../../texts/text.js';
import { tryToken } from '../try-token.js';
import { redeemCode } from './access-tokens.js';
import { type CodeRequest, newCodeRequest } from './code-request.js';

/** What is kept while this tab is away at the issuer, and where it is to go afterwards. */
interface Away {
  readonly request: CodeRequest;
  readonly path: string;
}

const AWAY_KEY = 'registry-away';

/** By which a window that came back from the issuer tells the one that opened it. */
const CHANNEL = 'registry-signed-in';

const WINDOW = 'popup,width=520,height=720';

/** Leads this tab to the issuer, and back to the present address. @throws {Error} for people */
export async function leaveForIssuer(oidc: IssuerSignIn): Promise<void> {
  const { request, address } = await newCodeRequest(oidc);
  const away: Away = { request, path: location.pathname + location.search };
  sessionStorage.setItem(AWAY_KEY, JSON.stringify(away));
  location.assign(address);
}

/**
 * Signs in in a window beside this one, whose screen stays as it is.
 *
 * @throws {Error} for people, also when the browser opens no window
 */
export async function signInBeside(oidc: IssuerSignIn): Promise<void> {
  // Browsers open windows only while they handle a click, so before anything is waited for.
  const beside = window.open('about:blank', '_blank', WINDOW);
  if (!beside) throw new Error(text('issuer.blocked'));
  const { request, address } = await newCodeRequest(oidc).catch((error: unknown) => {
    beside.close();
    throw error;
  });
  const answer = answerTo(request);
  beside.location.assign(address);
  const { token, renewal } = await redeemCode(await answer, request, oidc);
  await tryToken(token);
  signIn(token, renewal);
}

/**
 * Goes on where the issuer sent people back to.
 *
 * @returns the address to open; nothing where a window beside another has told that one
 * @throws {Error} for people
 */
export async function comeBack(query: string, oidc: IssuerSignIn): Promise<string | undefined> {
  const answer = new URLSearchParams(query);
  const away = JSON.parse(sessionStorage.getItem(AWAY_KEY) ?? 'null') as Away | null;
  if (away?.request.state !== answer.get('state')) {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(query);
    channel.close();
    window.close();
    return undefined;
  }
  // A code is good for once; so is what was kept for it.
  sessionStorage.removeItem(AWAY_KEY);
  const { token, renewal } = await redeemCode(answer, away.request, oidc);
  await tryToken(token);
  signIn(token, renewal);
  return away.path;
}

/** The issuer's answer to a request, whichever window it came back in. */
async function answerTo({ state }: CodeRequest): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const answer = new URLSearchParams(String(data));
      if (answer.get('state') !== state) return;
      channel.close();
      resolve(answer);
    };
  });
}
