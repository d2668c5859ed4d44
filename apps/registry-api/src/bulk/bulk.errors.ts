import type { BulkOperation } from './bulk-request.js';

/** An operation that cannot be carried out. */
export interface Refusal {
  readonly index: number;
  readonly operation: BulkOperation;
  readonly error: unknown;
}

/** Operations were to be carried out together, and some cannot be: none was. */
export class BulkRefusedError extends Error {
  override readonly name = 'BulkRefusedError';

  constructor(readonly refusals: readonly Refusal[]) {
    super(`${refusals.length} of the operations cannot be carried out, so none was`);
  }
}
