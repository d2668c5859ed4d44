import { formatKeyPath } from './documents/key-path.js';
import { DecryptionError } from './password-errors.js';

/** True at the place that a password is bound to: the end of a file's path and the key in it, `db.yaml/database.password`. */
export function belongsAt(place: string, file: string, path: readonly string[]): boolean {
  return `/${file}/${formatKeyPath(path)}`.endsWith(`/${place}`);
}

/** @throws {DecryptionError} `misplaced` */
export function assertBelongsAt(
  place: string | undefined,
  file: string | undefined,
  path: readonly string[],
): void {
  if (place === undefined || (file !== undefined && belongsAt(place, file, path))) return;
  const key = formatKeyPath(path);
  const remedy =
    file === undefined
      ? `pass the name of the file that it was found in, at ${key}`
      : `so it does not belong to ${JSON.stringify(`${file}/${key}`)}; encrypt the password for this place`;
  throw new DecryptionError(
    'misplaced',
    `the encrypted password is bound to ${JSON.stringify(place)}, ${remedy}`,
  );
}
