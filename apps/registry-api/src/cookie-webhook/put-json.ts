import type { TraceContext } from '@svc/service-kit';
import type { DestinationPolicy, Resolve } from '@svc/service-kit/destinations';
import { type CallAnswer, callHost, type CallLimits } from '../outgoing/call-host.js';

export interface Call {
  readonly body: object;
  /** Of the caller's request. */
  readonly trace?: TraceContext | undefined;
}

/**
 * Sends a JSON PUT to a host that a user has chosen.
 *
 * @throws {CallError}
 */
export async function putJson(
  url: URL,
  { body, trace }: Call,
  policy: DestinationPolicy,
  limits: CallLimits,
  resolve?: Resolve,
): Promise<CallAnswer> {
  const headers = { ...trace, accept: 'application/json', 'content-type': 'application/json' };
  return callHost(url, { method: 'PUT', headers, body: JSON.stringify(body) }, policy, limits, resolve);
}
