import { RegistryError } from './registry-error.js';

/** Error codes of Node and OpenSSL for an untrusted certificate. */
const UNTRUSTED_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);

const INVALID_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_REVOKED',
]);

/** The connection was idle for too long. */
export function toTimeoutError(idleTimeoutMs: number): Error {
  return Object.assign(new Error('silence'), { code: `no response within ${idleTimeoutMs / 1000} s` });
}

/** After a failure during a change that may have been sent. */
export const UNKNOWN_OUTCOME = 'the change may or may not have been made: check before you try again';

/** The caller aborted after the request was sent, so it may have taken effect. */
export function toInterruption(error: unknown): RegistryError {
  const message = `interrupted before the registry responded; ${UNKNOWN_OUTCOME}`;
  return new RegistryError('interrupted', message, [], { cause: error });
}

/**
 * Explains a failed connection.
 *
 * @param mayHaveTakenEffect whether the request was sent completely
 */
export function toConnectionError(error: unknown, url: URL, mayHaveTakenEffect: boolean): RegistryError {
  const code = codeOf(error);
  const unknownOutcome = mayHaveTakenEffect ? `; ${UNKNOWN_OUTCOME}` : '';
  return new RegistryError('unreachable', `${reasonOf(code, url)}${unknownOutcome}`, [], { cause: error });
}

function reasonOf(code: string, url: URL): string {
  const place = url.origin;
  if (UNTRUSTED_CODES.has(code)) {
    return `${place}: the certificate is not trusted (${code}); add its CA to registry.ca`;
  }
  if (INVALID_CODES.has(code))
    return `${place}: the certificate is not valid for it (${code}); registry.url must use a name in the certificate`;
  if (/^(EPROTO|ERR_SSL_)/.test(code)) {
    return `${place}: TLS handshake failed (${code}); should registry.url be http instead of https?`;
  }
  if (code.startsWith('HPE_')) return `${place}: not an HTTP server (${code}); check registry.url`;
  return `cannot reach the registry at ${place} (${code}); is it running, and is registry.url correct?`;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
