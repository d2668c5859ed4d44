import type { Violation } from '@svc/foundation';

/**
 * What kind of failure it is. `unreachable`: no answer, or not now; `refused_token`: the token is not valid or may not;
 * `foreign`: what answers is no registry; `interrupted`: the caller gave up while a change was under way, whose outcome
 * nobody knows; `not_found`, `changed`, `conflict`, `invalid`: the request as such; `failed`: the
 * registry's own fault.
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
