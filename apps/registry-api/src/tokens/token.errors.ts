import { RegistryError } from '../errors/registry-error.js';

export function scopeNotHeld(scopes: readonly string[]): RegistryError {
  return new RegistryError('scope_not_held', `cannot grant scopes you do not hold: ${scopes.join(', ')}`);
}

/** @param reason what the creating token is restricted to */
export function restrictionNotHeld(reason: string): RegistryError {
  return new RegistryError(
    'restriction_not_held',
    `cannot create a token that may do more than yours: ${reason}`,
  );
}

export function invalidRestriction(message: string): RegistryError {
  return new RegistryError('invalid_restriction', message);
}

/** Whatever developers send, the token would register nothing. */
export function cannotRegister(field: '/selector' | '/client_id', message: string): RegistryError {
  const violations = [{ field, code: 'cannot_register', message }];
  return new RegistryError('invalid_restriction', message, { violations });
}

/** The creating token was revoked or expired while the request was under way. */
export function grantorEnded(): RegistryError {
  return new RegistryError('token_invalid', 'the bearer token is not valid');
}

export function tokenNotFound(): RegistryError {
  return new RegistryError('token_not_found', 'there is no API token with this id');
}

export function tooManyTokens(limit: number): RegistryError {
  return new RegistryError(
    'too_many_tokens',
    `there are ${limit} API tokens already; revoke those that are not used`,
  );
}

/** @param limit of usable tokens that descend from one restricted caller */
export function tooManyDescendants(limit: number): RegistryError {
  return new RegistryError(
    'too_many_tokens',
    `there are already ${limit} usable API tokens that were created with your token or with the restricted tokens it descends ` +
      'from, which is the limit; revoke those that are not used, or ask an administrator to',
  );
}

/** @param limit of tokens that were each created with the one before */
export function tokenChainTooLong(limit: number): RegistryError {
  return new RegistryError(
    'token_chain_too_long',
    `your token is the last in a chain of ${limit} tokens, each created with the previous one, which is the limit; use a ` +
      'token from earlier in the chain',
  );
}

/** An Idempotency-Key made this API token, which was revoked or has expired since. */
export function idempotentTokenEnded(id: string): RegistryError {
  return new RegistryError(
    'idempotent_token_ended',
    `this Idempotency-Key created the API token ${id}, which has since expired or been revoked`,
  );
}

/** The arguments of `token` cannot be used. */
export class TokenUsageError extends Error {
  override readonly name = 'TokenUsageError';
}
