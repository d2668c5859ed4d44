import { text } from '../../texts/text.js';

/** By which a window that came back from the issuer and the one that opened it tell each other. */
const CHANNEL = 'registry-signed-in';

/** What windows say: the query that the issuer answered with, or that the answer to a `state` was taken. */
type Message = { readonly query: string } | { readonly taken: string };

const WINDOW = 'popup,width=520,height=720';

/** How often it is looked whether the window is still there. */
const POLL_MS = 500;

/** Whoever signs in in a window takes no longer: codes and sign-in pages end sooner. */
const TIMEOUT_MS = 15 * 60_000;

/** How long the other window has to say that it took the answer. */
const ANSWER_MS = 2_000;

/** Opens an empty window beside this one: while a click is handled, or browsers refuse. @throws {Error} for people */
export function openPopup(): Window {
  const beside = window.open('about:blank', '_blank', WINDOW);
  if (!beside) throw new Error(text('issuer.blocked'));
  return beside;
}

/** The issuer's answer with this `state`, in whichever window it comes back. @throws {Error} after a quarter of an hour */
export async function waitForAnswer(state: string): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(CHANNEL);
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(text('issuer.late'))), TIMEOUT_MS);
      channel.onmessage = ({ data }: MessageEvent<Message>) => {
        const answer = new URLSearchParams('query' in data ? data.query : '');
        if (answer.get('state') !== state) return;
        channel.postMessage({ taken: state } satisfies Message);
        resolve(answer);
      };
    });
  } finally {
    channel.close();
  }
}

/** Never ends well: it fails once the window is closed, or is out of sight because its page keeps others away from it. */
export async function rejectWhenClosed(beside: Window): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setInterval(() => {
      if (!beside.closed) return;
      clearInterval(timer);
      reject(new Error(text('issuer.closed')));
    }, POLL_MS);
  });
}

/** Tells the window that waits for it what the issuer answered. @returns whether one did wait */
export async function notifyOpener(query: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  const state = new URLSearchParams(query).get('state');
  const taken = await new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), ANSWER_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('taken' in data && data.taken === state) resolve(true);
    };
    channel.postMessage({ query } satisfies Message);
  });
  channel.close();
  return taken;
}
