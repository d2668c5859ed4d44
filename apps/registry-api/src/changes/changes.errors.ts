import { RegistryError } from '../errors/registry-error.js';

/** Some of the changes asked for cannot be read. @param reason why, for the caller */
export function changesGone(reason: string): RegistryError {
  return new RegistryError(
    'changes_gone',
    `${reason}; read all Clients again (GET /clients/export) and continue from the seq returned with them`,
  );
}
