import { applyEdits } from './documents/document-scalar.js';
import { formatKeyPath, parseKeyPath } from './documents/key-path.js';
import { type DocumentFormat, readDocument } from './documents/read-document.js';

/** The scalar cannot be replaced. The message never quotes the document's values. */
export class NoSuchKeyError extends Error {
  override readonly name = 'NoSuchKeyError';
}

/**
 * Puts an encrypted password in place of one scalar, and changes nothing else.
 *
 * @param key its path, such as `database.users.0.password`; in INI `section.key`
 * @param encrypted an encrypted password
 * @throws {NoSuchKeyError} unless there is exactly one such scalar
 */
export async function setPassword(
  text: string,
  format: DocumentFormat,
  key: string,
  encrypted: string,
): Promise<string> {
  const { scalars, errors } = await readDocument(text, format);
  const [error] = errors;
  if (error) throw new NoSuchKeyError(`line ${error.line}: ${error.message}`);
  const wanted = formatKeyPath(parseKeyPath(key));
  const found = scalars.filter(({ path }) => formatKeyPath(path) === wanted);
  const [scalar, another] = found;
  if (!scalar)
    throw new NoSuchKeyError(
      absent(
        wanted,
        scalars.map(({ path }) => path),
      ),
    );
  if (another)
    throw new NoSuchKeyError(
      `the key ${wanted} occurs ${found.length} times, in lines ${found.map(({ line }) => line).join(', ')}`,
    );
  if (scalar.isAlias)
    throw new NoSuchKeyError(
      `line ${scalar.line}: the key ${wanted} is an alias; set what it repeats, or write a value of its own`,
    );
  if (scalar.aliases && scalar.aliases.length > 0)
    throw new NoSuchKeyError(
      `line ${scalar.line}: aliases in lines ${scalar.aliases.join(', ')} repeat the value of ${wanted}; write values of their own there`,
    );
  const edit = scalar.replaceBy(encrypted);
  if (!edit)
    throw new NoSuchKeyError(
      `line ${scalar.line}: the key ${wanted} has no value; write any value, such as x`,
    );
  return applyEdits(text, [edit]);
}

function absent(wanted: string, paths: readonly (readonly string[])[]): string {
  if (paths.some((path) => formatKeyPath(path).startsWith(`${wanted}.`)))
    return `the key ${wanted} is a map or list; name a single value in it`;
  return `there is no value at the key ${wanted}; add it with any value, such as x`;
}
