import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  AddressRefusedError,
  type DestinationPolicy,
  guardedLookup,
  type Resolve,
} from '@svc/service-kit/destinations';

/** A request to a host that a user has chosen. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Limits of a call. */
export interface CallLimits {
  /** From the start to the answer's last byte, in milliseconds. */
  readonly timeoutMs: number;
  /** Limit on the answer's body. */
  readonly maxBytes: number;
}

/** The response to a call, whatever its status. */
export interface CallAnswer {
  readonly status: number;
  /** Empty if there is none. */
  readonly contentType: string;
  readonly body: Buffer;
}

/** A call did not yield a usable response. The message is safe to return to the caller. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly code: 'timeout' | 'too_large' | 'unreachable' | 'address_refused' | 'encoding',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Sends a request to a host that a user has chosen: only to addresses that the policy permits, on a separate connection, without
 * a proxy and without following redirects.
 *
 * @throws {CallError}
 */
export async function callHost(
  url: URL,
  { method, headers, body }: OutgoingRequest,
  policy: DestinationPolicy,
  limits: CallLimits,
  resolve?: Resolve,
): Promise<CallAnswer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    policy.assertLiteralPermitted(url);
    const incoming = await send(url, body, {
      method,
      headers: { ...headers, connection: 'close' },
      lookup: guardedLookup(policy, resolve),
      autoSelectFamily: true,
      signal,
      agent: false,
    });
    return {
      status: incoming.statusCode ?? 0,
      contentType: incoming.headers['content-type'] ?? '',
      body: await readAtMost(incoming, limits.maxBytes),
    };
  } catch (error) {
    if (signal.aborted) throw new CallError('timeout', `no complete response within ${limits.timeoutMs} ms`);
    throw toCallError(error);
  }
}

async function send(
  url: URL,
  body: string | undefined,
  options: RequestOptions & { autoSelectFamily: boolean },
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // Stays until the end, because an abort while the response is read is emitted as an error of the request, too.
    request(url, options, resolve).on('error', reject).end(body);
  });
}

async function readAtMost(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    incoming.destroy();
    throw new CallError('encoding', 'the response has a Content-Encoding that was not requested');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new CallError('too_large', `the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (error instanceof AddressRefusedError) return new CallError('address_refused', error.message);
  return new CallError('unreachable', `the host cannot be reached (${reasonOf(error)})`, { cause: error });
}

/** The code of the system or of OpenSSL, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
function reasonOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? 'no response' : reasonOf(errors[0]);
}
