import { errorDescriptionOf, type Violation } from '@svc/client-metadata';
import { RegistryError } from '../errors/registry-error.js';

/** @param violations each with its line in `field`, such as `/lines/3/redirect_uris/0` */
export function importRefused(violations: readonly Violation[]): RegistryError {
  const detail = `Nothing was imported: ${errorDescriptionOf(violations)}`;
  return new RegistryError('import_refused', 'some lines cannot be imported, so none were', {
    detail,
    violations,
  });
}

/** The import contains a client secret. */
export function secretsNotPermitted(): RegistryError {
  const message =
    'the token lacks the scope clients:import_secrets, which client secrets in an import require';
  return new RegistryError('scope_not_held', message);
}

export function bodyTooLarge(): RegistryError {
  return new RegistryError('body_too_large', 'the body is larger than 100 MiB');
}

/** The body is kept on disk until it is read. */
export function noRoomForBody(cause: unknown): RegistryError {
  return new RegistryError('disk_full', 'there is not enough disk space for the body', { cause });
}

/** @param code the operating system's */
export function noFolderForBody(code: string, cause: unknown): RegistryError {
  const message = `the folder for temporary files cannot be used (${code}); set TMPDIR to one that the registry can write to`;
  return new RegistryError('no_temporary_folder', message, { cause });
}

export function tooManyClients(limit: number): RegistryError {
  return new RegistryError('too_many_clients', `an import may contain at most ${limit} clients`);
}

export function unexpectedDeleted(deleted: number, expected: number): RegistryError {
  const message = `${deleted} clients would be deleted instead of ${expected}; nothing was changed`;
  return new RegistryError('unexpected_deleted', message);
}

/** On this process, or on another one with the same database. */
export function importUnderWay(): RegistryError {
  return new RegistryError('import_under_way', 'another import is running; try again when it has finished');
}

export function importConflict(): RegistryError {
  return new RegistryError('conflict', 'another caller registered a client of the import in the meantime');
}

export function importAbandoned(): RegistryError {
  return new RegistryError('import_abandoned', 'the caller disconnected before the import finished');
}
