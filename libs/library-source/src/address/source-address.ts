import { fileURLToPath } from 'node:url';

/**
 * True for the path of a folder; false for a URL, and for anything that may be a mistyped one: it may hold a token, which
 * must not be shown. A folder whose name has a colon or an `@` is written `./a:b`, or as `file:///` URL.
 */
export function isFolderPath(text: string): boolean {
  return !/^\w[\w+.-]*:|:.*@|^[^/]+@[^/]+:|\/\/[^/]*@|^(?!\.{0,2}\/)[^@]*@[^/]+\//s.test(text);
}

/**
 * The folder that a `file:///` URL names.
 *
 * @throws {RangeError} for any other URL; its message does not repeat it
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
 * The library's root within a source, in one form for all sources: `a/b`, or empty.
 *
 * @throws {RangeError} when it leads out of the source
 */
export function toSubfolder(text = ''): string {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..'))
    throw new RangeError('the subfolder leads out of the source; write it without ".."');
  return names.join('/');
}
