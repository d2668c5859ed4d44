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

/** One of the faults that a registry finds in what it was sent. */
export interface RegistryFault {
  /** A JSON pointer into what was sent. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A request to the registry did not succeed. `message` is one line with reason and remedy, and never holds the token. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(
    readonly failure: RegistryFailure,
    message: string,
    readonly faults: readonly RegistryFault[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
