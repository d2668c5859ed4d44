/** Asks whether the screen may be left, then leaves it. */
type LeavePrompt = (leave: () => void) => void;

const guards = new Set<LeavePrompt>();

/** Registers a prompt for leaving other than by navigation. @returns a function that unregisters it */
export function guardLeaving(ask: LeavePrompt): () => void {
  guards.add(ask);
  return () => guards.delete(ask);
}

/** Whether leaving the screen would lose work. */
export function isLeavingGuarded(): boolean {
  return guards.size > 0;
}

/** Leaves the screen other than by navigation, such as by signing out, after asking if work would be lost. */
export function leaveScreen(leave: () => void): void {
  const [ask] = guards;
  if (ask) ask(leave);
  else leave();
}
