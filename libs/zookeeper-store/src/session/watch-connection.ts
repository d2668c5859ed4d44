import type { Socket } from 'node:net';
import { CONNECTED, CONNECTING, type DriverConnection } from './driver.js';

/** How often a connection is looked at. */
const INTERVAL_MS = 100;

export interface ConnectionWatch {
  /** How long TCP, TLS and ZooKeeper's own greeting may take together. */
  readonly handshakeMs: number;
  /** How long nothing may arrive; asked for anew, since the session's time-out is agreed at the greeting. */
  readonly silenceMs: () => number;
  /** Called with `Date.now()` when data arrives. */
  readonly onHeard: (at: number) => void;
}

/**
 * Destroys a socket that gets no session in time, or on which nothing arrives for too long.
 *
 * @returns ends the watch
 */
export function watchConnection(
  connection: DriverConnection,
  socket: Socket,
  { handshakeMs, silenceMs, onHeard }: ConnectionWatch,
): () => void {
  const start = Date.now();
  let bytes = 0;
  let heardAt = start;
  let lastLook = start;
  let wasHeldUp = false;
  const timer = setInterval(() => {
    const now = Date.now();
    // When this process itself was held up, the answers may be waiting to be read: they are given one more look.
    wasHeldUp = !wasHeldUp && now - lastLook > 5 * INTERVAL_MS;
    lastLook = now;
    if (socket.bytesRead !== bytes) {
      bytes = socket.bytesRead;
      heardAt = now;
      if (connection.state === CONNECTED) onHeard(now);
    }
    if (wasHeldUp) return;
    const fault = faultOf(connection, now - start, handshakeMs, now - heardAt, silenceMs());
    if (fault !== undefined) socket.destroy(new Error(fault));
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function faultOf(
  { state }: DriverConnection,
  ageMs: number,
  handshakeMs: number,
  quietMs: number,
  silenceMs: number,
): string | undefined {
  if (state === CONNECTING && ageMs > handshakeMs) {
    return `no session within ${Math.round(handshakeMs)} ms (is it a ZooKeeper server, and do both sides use TLS or neither?)`;
  }
  if (state === CONNECTED && quietMs > silenceMs) return `the server was silent for ${quietMs} ms`;
  return undefined;
}
