/** Linux's limits, in bytes (limits.h): NAME_MAX, and PATH_MAX without the NUL at its end. */
const MAX_NAME_BYTES = 255;
const MAX_FILE_PATH_BYTES = 4_095;

/**
 * Why a file system cannot hold the last name of a path, if it cannot.
 *
 * @param folder where the path would be; any if absent
 */
export function folderViolation(path: string, folder?: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return `has a name of more than ${MAX_NAME_BYTES} bytes, which a folder cannot hold`;
  }
  if (folder === undefined || Buffer.byteLength(`${folder}/${path}`) <= MAX_FILE_PATH_BYTES) return undefined;
  return `has a path that, in ${folder}, is longer than the ${MAX_FILE_PATH_BYTES} bytes of a file's path`;
}
