/** No valid registration access token for this Client; or there is no such Client, which nobody is to learn. */
export class RegistrationTokenError extends Error {
  override readonly name = 'RegistrationTokenError';

  /** @param presented whether a token was sent at all */
  constructor(readonly presented: boolean) {
    super('the registration access token is not valid for this Client');
  }
}

/** The registration access token is valid, but an administrator has disabled its Client. */
export class RegistrationDisabledError extends Error {
  override readonly name = 'RegistrationDisabledError';

  constructor() {
    super('this Client is disabled; ask the administrator of the registry');
  }
}
