import { readFileSync } from 'node:fs';

/**
 * True if the address space of this process is limited, such as by `ulimit -v`. Another thread reserves gigabytes of it, and if
 * they are not there, the process ends.
 */
export function isAddressSpaceLimited(): boolean {
  try {
    return !/^Max address space +unlimited /m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    // Only Linux has the file.
    return false;
  }
}
