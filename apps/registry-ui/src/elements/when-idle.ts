/** Acts once the browser has nothing more urgent to do. */
export function whenIdle(act: () => void): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act);
  else setTimeout(act);
}
