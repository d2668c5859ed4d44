import { RegistryError } from '../errors/registry-error.js';

/** Some of the changes asked for cannot be read. @param reason why, for the caller */
export function changesGone(reason: string): RegistryError {
  return new RegistryError(
    'changes_gone',
    `${reason}; read the Clients anew (GET /clients/export) and go on from the seq that comes with them`,
  );
}
