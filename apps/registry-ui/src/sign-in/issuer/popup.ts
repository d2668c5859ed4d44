import { openChannel } from '../../api/open-channel.js';
import { text } from '../../texts/sign-in.js';

/** Connects a popup that returned from the issuer with the window that opened it. */
const CHANNEL = 'registry-signed-in';

/** Either the query of the issuer's redirect, or an acknowledgement by `state`. */
type Message = { readonly query: string } | { readonly taken: string };

const WINDOW = 'popup,width=520,height=720';

/** How often to check whether the popup is still open. */
const POLL_MS = 500;

/** Codes and sign-in pages expire sooner. */
const TIMEOUT_MS = 15 * 60_000;

/** How long the opener has to acknowledge. */
const ANSWER_MS = 2_000;

/** Opens an empty popup. Browsers allow it only while handling a click. @throws {Error} with a message for the user */
export function openPopup(): Window {
  // Without a channel, the popup could not return its response.
  newChannel().close();
  const beside = window.open('about:blank', '_blank', WINDOW);
  if (!beside) throw new Error(text('issuer.blocked'));
  return beside;
}

function newChannel(): BroadcastChannel {
  const channel = openChannel(CHANNEL);
  if (!channel) throw new Error(text('issuer.unstored'));
  return channel;
}

/** Waits for the issuer's response with this `state`, in any window. @throws {Error} after 15 minutes */
export async function waitForAnswer(state: string): Promise<URLSearchParams> {
  const channel = newChannel();
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

/** Rejects once the popup is closed, or its page has cut it off from this one. */
export async function rejectWhenClosed(beside: Window): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setInterval(() => {
      if (!beside.closed) return;
      clearInterval(timer);
      reject(new Error(text('issuer.closed')));
    }, POLL_MS);
  });
}

/** Passes the issuer's response to the waiting window. @returns whether one acknowledged it */
export async function notifyOpener(query: string): Promise<boolean> {
  const channel = newChannel();
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
