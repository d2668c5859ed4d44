import type { Socket } from 'node:net';
import { CONNECTED, CONNECTING, type DriverConnection } from './driver.js';

/** How often a connection is checked. */
const INTERVAL_MS = 100;

export interface ConnectionWatch {
  /** Timeout for the TCP, TLS and ZooKeeper handshakes together. */
  readonly handshakeMs: number;
  /** How long the server may be silent; a function, since the session timeout is negotiated in the handshake. */
  readonly silenceMs: () => number;
  /** Called with `performance.now()` when data arrives. */
  readonly onData: (at: number) => void;
}

/**
 * Destroys a socket that gets no session in time, or receives nothing for too long.
 *
 * @returns a function that stops watching
 */
export function watchConnection(
  connection: DriverConnection,
  socket: Socket,
  { handshakeMs, silenceMs, onData }: ConnectionWatch,
): () => void {
  const start = performance.now();
  let bytes = 0;
  let lastDataAt = start;
  let lastCheck = start;
  let wasStalled = false;
  const timer = setInterval(() => {
    const now = performance.now();
    // If this process itself was stalled, replies may be waiting to be read: check once more first.
    wasStalled = !wasStalled && now - lastCheck > 5 * INTERVAL_MS;
    lastCheck = now;
    if (socket.bytesRead !== bytes) {
      bytes = socket.bytesRead;
      lastDataAt = now;
      if (connection.state === CONNECTED) onData(now);
    }
    if (wasStalled) return;
    const reason = timeoutReason(connection, now - start, handshakeMs, now - lastDataAt, silenceMs());
    if (reason !== undefined) socket.destroy(new Error(reason));
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function timeoutReason(
  { state }: DriverConnection,
  elapsedMs: number,
  handshakeMs: number,
  quietMs: number,
  silenceMs: number,
): string | undefined {
  if (state === CONNECTING && elapsedMs > handshakeMs) {
    return `no session within ${Math.round(handshakeMs)} ms (is it a ZooKeeper server, and do both sides use TLS or neither?)`;
  }
  if (state === CONNECTED && quietMs > silenceMs)
    return `the server was silent for ${Math.round(quietMs)} ms`;
  return undefined;
}
