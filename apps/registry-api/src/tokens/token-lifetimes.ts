import type { RetentionPolicy } from '../settings/registry-settings.js';

/** What configuration decides about API tokens. */
export class TokenLifetimes {
  constructor(
    /** The longest life of a token made with an issuer's access token, in seconds. */
    readonly madeByIssuersUsers: number,
    /** How long a token that has ended can be read. */
    readonly retention: RetentionPolicy,
  ) {}
}
