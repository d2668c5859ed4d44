import { errors } from 'oidc-provider';

/**
 * The registry cannot be reached or gave an unexpected response. oidc-provider answers with 503 `temporarily_unavailable`
 * on its own error page, without redirecting.
 */
export class RegistryUnavailableError extends errors.OIDCProviderError {
  override readonly name = 'RegistryUnavailableError';
  /** The only detail shown to callers. */
  override readonly error_description = 'the client registry is not responding; try again in a moment';
  override readonly expose = true;
  override readonly allow_redirect = false;

  /** @param detail the reason, one line for the operator; never contains the token */
  constructor(detail: string, options: ErrorOptions = {}) {
    super(503, 'temporarily_unavailable', { ...options, detail });
  }

  /** The reason, for logs. */
  get reason(): string {
    return this.error_detail ?? this.message;
  }
}
