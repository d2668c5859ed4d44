/** A channel between the console's tabs in this browser; `undefined` without access to it, as when site data is blocked. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
