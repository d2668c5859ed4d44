import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { documentFormat, parseKeyPath, type PlainPassword } from '@svc/password-format';
import { folderOfUrl, isFolderPath } from '@svc/library-source';
import { bytesOf, type Library, type LibraryFinding, keyPattern } from '@svc/library-sync';
import type { LibrarySettings } from '../config/commander-config.js';
import { decodeText } from '../files/decode-text.js';
import { loadPasswordKeys } from '../passwords/load-password-keys.js';
import { AllowList } from '../passwords/allow-list.js';
import { checkPasswords, encryptedRules, MARKED_RULE } from '../passwords/check-passwords.js';

/** Files with more are data. */
const MAX_BYTES = 1 << 20;

interface PasswordCheckOptions {
  /** Checks encrypted passwords with the configured keys. */
  readonly checksEncrypted: boolean;
  /** The source's address. */
  readonly source: string | undefined;
}

/**
 * Finds passwords marked `!encpwd-plain` and, if configured, others in plain text and encrypted ones that no configured key
 * decrypts.
 *
 * @throws {CommanderError} configuration, if keys or the list of what is allowed cannot be read
 */
export async function passwordCheck(
  { validate, pwdencryptor, source }: Pick<LibrarySettings, 'validate' | 'pwdencryptor' | 'source'>,
  { checksEncrypted, source: address }: PasswordCheckOptions,
): Promise<(library: Library) => Promise<LibraryFinding[]>> {
  const { plain_passwords: plain = 'allow', allow_plain: list } = validate;
  const allowed = AllowList.read(list);
  const folder = folderOf(address, source.subfolder);
  const encrypted = checksEncrypted
    ? await encryptedRules(pwdencryptor, async () => loadPasswordKeys(pwdencryptor, () => undefined))
    : undefined;
  const patterns = validate.sealed.map(keyPattern);
  const isSecretKey = (name: string) => patterns.some((pattern) => pattern.test(name));
  const mustRead = (path: string, bytes: Buffer): boolean =>
    plain !== 'allow' || (documentFormat(path) !== undefined && bytes.includes('!encpwd'));
  return async ({ files }) => {
    const findings: LibraryFinding[] = [];
    for (const [path, file] of files) {
      const data = bytesOf(file.data);
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      const text = bytes.length > MAX_BYTES || !mustRead(path, bytes) ? undefined : decodeText(bytes);
      if (text === undefined) continue;
      // The rules for declarations, which cover YAML values, report these.
      const isReported = ({ rule, name, isScalar }: PlainPassword) =>
        rule !== 'token' && isScalar && /\.ya?ml$/i.test(path) && parseKeyPath(name).some(isSecretKey);
      const found = await checkPasswords(path, text, {
        encrypted,
        findsPlain: plain !== 'allow',
        isSecretKey,
        isAllowed: async (password) =>
          isReported(password) ||
          (await allowed.allows(folder === undefined ? path : allowed.pathOf(join(folder, path)), password)),
      });
      findings.push(
        ...found.map(({ severity, line, rule, message }) => ({
          severity: plain === 'warn' && isWarning(rule) ? ('warning' as const) : severity,
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

const isWarning = (rule: string): boolean => rule.startsWith('plain-') && rule !== MARKED_RULE;

/** The folder that is the library's root; undefined for one that is not in a folder. */
function folderOf(address: string | undefined, subfolder = ''): string | undefined {
  if (address === undefined) return undefined;
  if (/^file:/i.test(address)) return join(folderOfUrl(address), subfolder);
  return isFolderPath(address) ? resolve(address, subfolder) : undefined;
}
