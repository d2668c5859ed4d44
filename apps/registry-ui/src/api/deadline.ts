/** How long an OpenID Connect issuer may take to respond. */
export const ISSUER_DEADLINE_MS = 30_000;

/** A signal that aborts after a time, or with `signal`. Unlike `AbortSignal.any`, it works in every supported browser. */
export function withDeadline(deadlineMs: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (deadlineMs < Infinity) AbortSignal.timeout(deadlineMs).addEventListener('abort', abort);
  return controller.signal;
}
