import type { Violation } from '@svc/foundation';

/**
 * The kind of failure. `unreachable`: no response, or temporarily unavailable; `token_rejected`: it, or who sends it, may not
 * do this; `not_a_registry`: an unexpected response; `interrupted`: aborted by the caller during a change, whose outcome is
 * unknown; `not_found`, `changed`, `conflict`, `invalid`: the request itself; `failed`: an error inside the registry.
 */
export type RegistryFailure =
  | 'unreachable'
  | 'token_rejected'
  | 'not_a_registry'
  | 'interrupted'
  | 'not_found'
  | 'changed'
  | 'conflict'
  | 'invalid'
  | 'failed';

/** A request to the registry failed. `message` is one line with reason and remedy, and never contains the token. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(
    readonly failure: RegistryFailure,
    message: string,
    readonly violations: readonly Violation[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
