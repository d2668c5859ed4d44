/** A token was to have scopes that whoever makes it does not have. */
export class ScopeNotHeldError extends Error {
  override readonly name = 'ScopeNotHeldError';

  constructor(readonly scopes: readonly string[]) {
    super(`nobody can grant what they lack: ${scopes.join(', ')}`);
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
    super(`there are ${limit} API tokens already; revoke those that nobody uses`);
  }
}
