const NAMES = ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'];

/** Whether an output file is standard output, where nothing else may be printed then. */
export function isStandardOutput(path: string | undefined): boolean {
  return path !== undefined && NAMES.includes(path);
}
