import { signOut } from './session.js';

/** Shared by the console's tabs in this browser. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('registry-session') : undefined;

const SIGNED_OUT = 'signed-out';

/** Signs out in this tab and all others. */
export function signOutInAllTabs(): void {
  channel?.postMessage(SIGNED_OUT);
  signOut();
}

/** Signs this tab out when another one signs out everywhere. */
export function followOtherTabs(): void {
  channel?.addEventListener('message', ({ data }) => {
    if (data === SIGNED_OUT) signOut();
  });
}
