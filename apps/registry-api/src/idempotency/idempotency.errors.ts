import { quote } from '@svc/client-metadata';

/** The header is not one that can be kept. */
export class InvalidIdempotencyKeyError extends Error {
  override readonly name = 'InvalidIdempotencyKeyError';

  constructor() {
    super('the Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
}

/** The key came before with another request. */
export class IdempotencyKeyReusedError extends Error {
  override readonly name = 'IdempotencyKeyReusedError';

  constructor() {
    super('this Idempotency-Key was sent with another request before; make a new key for each request');
  }
}

/** The key came before, and the Client that it registered or gave a new secret was deleted since. */
export class IdempotentClientGoneError extends Error {
  override readonly name = 'IdempotentClientGoneError';

  constructor(clientId: string) {
    super(`this Idempotency-Key was used for the client ${quote(clientId)}, which was deleted since`);
  }
}

/** The key came before, and the API token that it made was revoked or has expired since. */
export class IdempotentTokenEndedError extends Error {
  override readonly name = 'IdempotentTokenEndedError';

  constructor(id: string) {
    super(`this Idempotency-Key made the API token ${id}, which has ended since`);
  }
}

/** A key came with a dry run, which changes nothing that it could keep from being changed twice. */
export class IdempotentDryRunError extends Error {
  override readonly name = 'IdempotentDryRunError';

  constructor() {
    super('a dry run changes nothing and takes no Idempotency-Key; send it without');
  }
}
