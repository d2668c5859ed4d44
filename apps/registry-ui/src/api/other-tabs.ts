import { openChannel } from './open-channel.js';
import { continueSession, currentSession, endSession, type Renewal, signOut } from './session.js';

/** Shared by the console's tabs in this browser. */
const channel = openChannel('registry-session');

const SIGNED_OUT = 'signed-out';

/** New tokens, for duplicates of the tab that renewed them. */
interface SharedTokens {
  /** The refresh token that they replace. */
  readonly replaced: string;
  readonly token: string;
  readonly renewal?: Renewal;
}

/** Passes new tokens to the tabs that have the same refresh token: issuers may accept it only once. */
export function shareTokens(tokens: SharedTokens): void {
  channel?.postMessage(tokens);
}

/** Signs out in this tab and all others. */
export function signOutInAllTabs(): void {
  channel?.postMessage(SIGNED_OUT);
  signOut();
}

/**
 * Signs this tab out when another one signs out everywhere, and takes new tokens from its duplicates.
 *
 * @param wouldLose whether signing out would lose work: then only the session ends, and the screen stays
 */
export function followOtherTabs(wouldLose: () => boolean): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SharedTokens | typeof SIGNED_OUT>) => {
    if (data === SIGNED_OUT) leaveSession(wouldLose());
    else if (data.replaced === currentSession()?.renewal?.refreshToken)
      continueSession(data.token, data.renewal);
  });
}

function leaveSession(keepsScreen: boolean): void {
  const session = currentSession();
  if (session && keepsScreen) endSession(session.token);
  else signOut();
}
