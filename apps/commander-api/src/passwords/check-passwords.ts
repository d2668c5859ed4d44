import {
  checkEncrypted,
  documentFormat,
  type EncryptedRules,
  findPlainPasswords,
  type PasswordKeys,
  type PlainPassword,
} from '@svc/password-format';
import type { CommanderConfig } from '../config/commander-config.js';
import { hasKey } from './load-password-keys.js';

/** Something wrong with a password in a file. */
export interface PasswordFinding {
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly line: number;
  /** Stable name of the rule. */
  readonly rule: string;
  readonly message: string;
  /** Fingerprint of a value in plain text, for the list of what is allowed; only on request, since it is slow to compute. */
  readonly fingerprint?: string;
}

interface CheckOptions {
  /** Encrypted passwords are not checked when absent. */
  readonly encrypted?: EncryptedRules | undefined;
  /** False to report only what is marked `!encpwd-plain`. */
  readonly findsPlain?: boolean;
  readonly isAllowed: (password: PlainPassword) => Promise<boolean>;
  readonly isSecretKey?: (name: string) => boolean;
  readonly fingerprints?: boolean;
}

/** In plain text and marked as to be encrypted: no reader of the file can use it. */
export const MARKED_RULE = 'plain-marked';

/** Checks the passwords of one text: those in plain text, and those that are encrypted. */
export async function checkPasswords(
  path: string,
  text: string,
  { encrypted, findsPlain = true, isAllowed, isSecretKey, fingerprints = false }: CheckOptions,
): Promise<PasswordFinding[]> {
  const format = documentFormat(path);
  const findings: PasswordFinding[] = [];
  const plains =
    findsPlain || text.includes('!encpwd-plain')
      ? await findPlainPasswords(text, format, { isSecretKey })
      : [];
  for (const plain of plains) {
    const isMarked = plain.rule === 'marked';
    if (!isMarked && !findsPlain) continue;
    // Other text, such as documentation, only mentions the mark.
    if (!(isMarked && format) && (await isAllowed(plain))) continue;
    const { line, rule, message } = plain;
    const fingerprint = fingerprints ? { fingerprint: await plain.fingerprint() } : {};
    findings.push({ severity: 'error', path, line, rule: `plain-${rule}`, message, ...fingerprint });
  }
  if (format && encrypted)
    for (const { code, ...problem } of await checkEncrypted(text, format, { file: path, ...encrypted }))
      findings.push({ path, rule: code, ...problem });
  return findings.sort((a, b) => a.line - b.line);
}

/**
 * The configured keys and recipients that encrypted passwords are checked with.
 *
 * @throws {CommanderError} `configuration`, if they cannot be read
 */
export async function encryptedRules(
  settings: CommanderConfig['pwdencryptor'],
  loadKeys: () => Promise<PasswordKeys>,
): Promise<EncryptedRules> {
  const { recipients: files = [] } = settings;
  const { loadRecipients } = await import('./load-recipients.js');
  const recipients = files.length > 0 ? await loadRecipients(files, 'pwdencryptor.recipients') : [];
  return {
    keys: hasKey(settings) ? await loadKeys() : undefined,
    recipients: recipients.map(({ kid }) => kid),
  };
}
