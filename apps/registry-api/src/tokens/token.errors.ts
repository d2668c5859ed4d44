/** A token was to have scopes that its maker does not have. */
export class ScopeNotHeldError extends Error {
  override readonly name = 'ScopeNotHeldError';

  constructor(readonly scopes: readonly string[]) {
    super(`cannot grant scopes you do not hold: ${scopes.join(', ')}`);
  }
}

/** The token that was to make another was revoked or has expired since the request came. */
export class GrantorEndedError extends Error {
  override readonly name = 'GrantorEndedError';

  constructor() {
    super('the bearer token is not valid');
  }
}

export class TokenNotFoundError extends Error {
  override readonly name = 'TokenNotFoundError';

  constructor() {
    super('there is no API token with this id');
  }
}

export class TooManyTokensError extends Error {
  override readonly name = 'TooManyTokensError';

  constructor(limit: number) {
    super(`there are ${limit} API tokens already; revoke those that are not used`);
  }
}
