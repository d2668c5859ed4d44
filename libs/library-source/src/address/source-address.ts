import { fileURLToPath } from 'node:url';

/**
 * True for a folder's path; false for a URL and for anything that may be a mistyped URL, since that may contain a token.
 * A folder with a colon or `@` in its name must be written as `./a:b` or as a `file:///` URL.
 */
export function isFolderPath(text: string): boolean {
  return !/^\w[\w+.-]*:|:.*@|^[^/]+@[^/]+:|\/\/[^/]*@|^(?!\.{0,2}\/)[^@]*@[^/]+\//s.test(text);
}

/**
 * Converts a `file:///` URL to a path.
 *
 * @throws {RangeError} for any other URL; the message does not contain it
 */
export function folderOfUrl(text: string): string {
  try {
    const url = new URL(text);
    if (/^file:\/\/\//i.test(text) && url.search + url.hash === '') return fileURLToPath(url);
  } catch {
    // Reported below.
  }
  throw new RangeError(
    'write a folder as file:///folder, with three slashes, and "?", "#" and "%" percent-encoded',
  );
}

/**
 * Normalizes the library's root within a source to `a/b`, or empty.
 *
 * @throws {RangeError} if it leads out of the source
 */
export function toSubfolder(text = ''): string {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new RangeError('the subfolder leads out of the source; remove the ".."');
  return names.join('/');
}
