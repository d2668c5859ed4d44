import { RegistryError } from '../errors/registry-error.js';

export function invalidIdempotencyKey(): RegistryError {
  return new RegistryError(
    'invalid_idempotency_key',
    'the Idempotency-Key must be 1 to 255 visible ASCII characters',
  );
}

export function idempotencyKeyReused(): RegistryError {
  return new RegistryError(
    'idempotency_key_reused',
    'this Idempotency-Key was sent with another request before; make a new key for each request',
  );
}

/** A dry run changes nothing, so there is nothing for a key to keep from happening twice. */
export function idempotentDryRun(): RegistryError {
  return new RegistryError(
    'idempotent_dry_run',
    'a dry run changes nothing and takes no Idempotency-Key; send it without',
  );
}
