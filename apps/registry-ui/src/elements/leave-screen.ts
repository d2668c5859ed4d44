/** Asks whether a screen may be left, and then leaves it. */
type LeavePrompt = (leave: () => void) => void;

const guards = new Set<LeavePrompt>();

/** Has `ask` come before every way out that is no address. @returns what ends it */
export function guardLeaving(ask: LeavePrompt): () => void {
  guards.add(ask);
  return () => guards.delete(ask);
}

/** Leaves the screen by a way that is no address, such as signing out: once nothing is lost by it, or it was agreed to. */
export function leaveScreen(leave: () => void): void {
  const [ask] = guards;
  if (ask) ask(leave);
  else leave();
}
