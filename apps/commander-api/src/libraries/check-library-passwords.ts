import { setImmediate } from 'node:timers/promises';
import { documentFormat, parseKeyPath, type PlainPassword } from '@svc/password-format';
import { type Library, type LibraryFinding, keyPattern } from '@svc/library-sync';
import type { LibrarySettings } from '../config/commander-config.js';
import { AllowList } from '../passwords/allow-list.js';
import { checkPasswords, encryptedRules } from '../passwords/check-passwords.js';

/** Files with more are data. */
const MAX_BYTES = 1 << 20;

/**
 * Finds encrypted passwords that no configured key decrypts, and as configured those in plain text.
 *
 * @throws {CommanderError} configuration, if keys or the list of what is allowed cannot be read
 */
export async function passwordCheck({
  validate,
  pwdencryptor,
}: Pick<LibrarySettings, 'validate' | 'pwdencryptor'>): Promise<
  (library: Library) => Promise<LibraryFinding[]>
> {
  const { plain_passwords: plain = 'allow', allow_plain } = validate;
  const allowed = AllowList.read(allow_plain);
  const encrypted = await encryptedRules(pwdencryptor, () => undefined);
  const sealed = validate.sealed.map(keyPattern);
  // The rules for declarations already report these.
  const isReported = ({ rule, name }: PlainPassword) =>
    rule !== 'token' && parseKeyPath(name).some((key) => sealed.some((pattern) => pattern.test(key)));
  return async ({ files }) => {
    const findings: LibraryFinding[] = [];
    for (const [path, { data }] of files) {
      const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      if (text.length > MAX_BYTES || text.includes(0)) continue;
      if (plain === 'allow' && (!documentFormat(path) || !text.includes('!encpwd'))) continue;
      const found = await checkPasswords(path, text.toString(), {
        encrypted,
        isAllowed: async (password) =>
          plain === 'allow' || isReported(password) || (await allowed.allows(path, password)),
      });
      findings.push(
        ...found.map(({ severity, line, rule, message }) => ({
          severity: plain === 'warn' && rule.startsWith('plain-') ? ('warning' as const) : severity,
          path,
          line,
          code: rule.startsWith('plain-') ? rule : 'password',
          message,
        })),
      );
      await setImmediate();
    }
    return findings;
  };
}
