/** The longest delay of Node's timers, in milliseconds; with a longer one they fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;
