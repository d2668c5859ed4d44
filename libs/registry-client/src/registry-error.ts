import type { Violation } from '@svc/foundation';

/**
 * The kind of failure. `unreachable`: no answer, or not now; `refused_token`: the token is invalid or lacks a scope;
 * `foreign`: the answer is not a registry's; `interrupted`: the caller gave up during a change, whose outcome is
 * unknown; `not_found`, `changed`, `conflict`, `invalid`: the request itself; `failed`: an error inside the registry.
 */
export type RegistryFailure =
  | 'unreachable'
  | 'refused_token'
  | 'foreign'
  | 'interrupted'
  | 'not_found'
  | 'changed'
  | 'conflict'
  | 'invalid'
  | 'failed';

/** A request to the registry did not succeed. `message` is one line with reason and remedy, and never holds the token. */
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
