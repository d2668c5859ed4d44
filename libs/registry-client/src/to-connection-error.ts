import { RegistryError } from './registry-error.js';

/** What Node and OpenSSL say when a certificate is not trusted. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);

const UNFIT = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_REVOKED',
]);

/** The registry said nothing for too long. */
export function toSilenceError(silenceMs: number): Error {
  return Object.assign(new Error('silence'), { code: `no answer within ${silenceMs / 1000} s` });
}

const DOUBT = 'whether the change was made is not known: look before you try again';

/** The caller gave up when the whole request was sent and may have taken effect. */
export function toInterruption(error: unknown): RegistryError {
  const message = `interrupted before the registry had answered; ${DOUBT}`;
  return new RegistryError('interrupted', message, [], { cause: error });
}

/**
 * Why there is no answer.
 *
 * @param mayBeDone true when the whole request was sent and may have taken effect
 */
export function toConnectionError(error: unknown, url: URL, mayBeDone: boolean): RegistryError {
  const code = codeOf(error);
  const doubt = mayBeDone ? `; ${DOUBT}` : '';
  return new RegistryError('unreachable', `${reasonOf(code, url)}${doubt}`, [], { cause: error });
}

function reasonOf(code: string, url: URL): string {
  const place = url.origin;
  if (UNTRUSTED.has(code)) {
    return `${place}: the certificate is not trusted (${code}); name its authority in registry.ca`;
  }
  if (UNFIT.has(code))
    return `${place}: the certificate does not fit (${code}); registry.url must be a name it is for`;
  if (/^(EPROTO|ERR_SSL_)/.test(code)) {
    return `${place}: it does not speak TLS as expected (${code}); does registry.url want http instead of https?`;
  }
  if (code.startsWith('HPE_'))
    return `${place}: what answers does not speak HTTP (${code}); is registry.url right?`;
  return `cannot reach the registry at ${place} (${code}); is it running, and is registry.url right?`;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name);
}
