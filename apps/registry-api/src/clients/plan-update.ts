import { isDeepStrictEqual } from 'node:util';
import { codesOf, type ValidationResult, type Violation } from '@svc/client-metadata';
import { InvalidClientError } from './client.errors.js';
import type { Manager, PlannedChange } from './planned-change.js';
import type { StoredClient } from './stored-client.js';
import {
  assertLastingFrontChannel,
  assertNotOnlyTemporary,
  currentTemporaryUris,
  temporaryAmong,
} from './temporary-uris.js';

export type Update = Extract<PlannedChange, { kind: 'updated' }>;

export type ValidResult = Extract<ValidationResult, { valid: true }>;

/** @param others violations besides those of the validation @throws {InvalidClientError} */
export function requireValid(validation: ValidationResult, others: readonly Violation[] = []): ValidResult {
  if (!validation.valid) throw new InvalidClientError([...validation.violations, ...others]);
  if (others.length > 0) throw new InvalidClientError(others);
  return validation;
}

/** @param managedBy what takes the Client over @throws {InvalidClientError} */
export function planUpdate(
  before: StoredClient,
  validation: ValidationResult,
  managedBy?: Manager,
  temporary = currentTemporaryUris(before),
): Update | undefined {
  const valid = requireValid(validation);
  const { metadata } = valid;
  const temporaryUris = temporaryAmong(metadata.redirect_uris, temporary);
  const isSame =
    isDeepStrictEqual(metadata, before.metadata) &&
    isDeepStrictEqual(temporaryUris, currentTemporaryUris(before));
  if (isSame && managedBy === undefined) return undefined;
  assertNotOnlyTemporary(metadata.redirect_uris, temporaryUris);
  assertLastingFrontChannel(before, metadata, temporaryUris);
  return { kind: 'updated', before, metadata, temporaryUris, warnings: codesOf(valid.warnings), managedBy };
}
