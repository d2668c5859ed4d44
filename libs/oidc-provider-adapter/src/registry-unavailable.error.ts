import { errors } from 'oidc-provider';

/**
 * The registry does not answer as it should, so nothing can be said about a Client. oidc-provider answers it with 503 and
 * `temporarily_unavailable`, in its own page: nothing is redirected anywhere.
 */
export class RegistryUnavailableError extends errors.OIDCProviderError {
  override readonly name = 'RegistryUnavailableError';
  /** All that callers are told. */
  override readonly error_description = 'the registry of Clients does not answer; try again in a moment';
  override readonly expose = true;
  override readonly allow_redirect = false;

  /** @param detail why, in one line for the operator, without a token */
  constructor(detail: string, options: ErrorOptions = {}) {
    super(503, 'temporarily_unavailable', { ...options, detail });
  }

  /** Why, for logs. */
  get reason(): string {
    return this.error_detail ?? this.message;
  }
}
