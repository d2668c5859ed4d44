import { setImmediate } from 'node:timers/promises';
import { ENCPWD_TAG, type PasswordKeys, unreadablePasswords } from '@svc/password-format';
import type { Library, LibraryFinding } from '@svc/library-sync';

/** Finds encrypted passwords that none of the keys decrypts. */
export async function judgePasswords({ files }: Library, keys: PasswordKeys): Promise<LibraryFinding[]> {
  const findings: LibraryFinding[] = [];
  for (const [path, { data }] of files) {
    const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (!/\.ya?ml$/i.test(path) || !text.includes(ENCPWD_TAG)) continue;
    for (const { line, message } of await unreadablePasswords(text.toString(), keys))
      findings.push({ severity: 'error', path, line, code: 'password', message });
    await setImmediate();
  }
  return findings;
}
