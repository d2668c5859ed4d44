import { quote } from '@svc/client-metadata';

/** The header is not one that can be kept. */
export class InvalidIdempotencyKeyError extends Error {
  override readonly name = 'InvalidIdempotencyKeyError';

  constructor() {
    super('the Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
}

/** The key came before with another body. */
export class IdempotencyKeyReusedError extends Error {
  override readonly name = 'IdempotencyKeyReusedError';

  constructor() {
    super('this Idempotency-Key was sent with another body before; make a new key for each registration');
  }
}

/** The key came before, and what it registered was deleted since. */
export class IdempotentClientGoneError extends Error {
  override readonly name = 'IdempotentClientGoneError';

  constructor(clientId: string) {
    super(`this Idempotency-Key registered the client ${quote(clientId)}, which was deleted since`);
  }
}
