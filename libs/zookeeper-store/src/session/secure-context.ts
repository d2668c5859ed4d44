import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

const PARTS = ['ca', 'cert', 'key'] as const;

type TlsPart = (typeof PARTS)[number];

/** Certificates or a key cannot be used. While files are being replaced, this may pass. */
export class UnusableTlsError extends Error {
  override readonly name = 'UnusableTlsError';

  /** @param parts which of them */
  constructor(
    readonly parts: readonly TlsPart[],
    problem: string,
    cause: unknown,
  ) {
    super(`${problem} (${reasonOf(cause as Error)})`, { cause });
  }
}

/** @throws {UnusableTlsError} here instead of from a timer, where each connection is opened */
export function toSecureContext(options: SecureContextOptions): SecureContext {
  try {
    return createSecureContext(options);
  } catch (error) {
    for (const part of PARTS) assertUsable(part, options);
    throw new UnusableTlsError(['cert', 'key'], 'tls_cert and tls_key do not belong together', error);
  }
}

function assertUsable(part: TlsPart, { [part]: value }: SecureContextOptions): void {
  try {
    createSecureContext({ [part]: value });
  } catch (error) {
    throw new UnusableTlsError([part], `tls_${part} cannot be used`, error);
  }
}

/** OpenSSL's short reason, where Node's message is the whole OpenSSL error queue. */
export function reasonOf(error: Error & { readonly reason?: unknown }): string {
  return typeof error.reason === 'string' ? error.reason : error.message || String(error);
}
