import { resolve } from 'node:path';
import { escapeLines } from '@svc/foundation';
import { keyPattern } from '@svc/library-sync';
import { documentFormat } from '@svc/password-format';
import { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { decodeText } from '../files/decode-text.js';
import { TooLargeError } from '../files/read-at-most.js';
import { AllowList } from './allow-list.js';
import { checkPasswords, encryptedRules, type PasswordFinding } from './check-passwords.js';
import { loadConfiguredKeys } from './load-password-keys.js';
import { EVERY_FILE, listDocuments } from './list-documents.js';
import { readDocumentBytes } from './read-document-file.js';

interface Options {
  readonly allow?: string;
  readonly fingerprints?: boolean;
  readonly strict?: true;
  readonly failSkipped?: true;
}

const AFTER_HELP = `
Reports the following, with place and rule, but never the value itself:
  plain-key-name  a value in plain text under a key such as password, secret or token
  plain-token     a token of a known form, a private key, or a password in a URL, also in comments
  plain-entropy   a value that looks random
  plain-marked    a value marked !encpwd-plain that is not encrypted yet; a list cannot allow it
  unreadable      an encrypted password that is damaged, or that none of the configured keys decrypts
  recipients      not sealed to exactly the keys in pwdencryptor.recipients
  misplaced       bound to a place other than the one where it is
  old-key         encrypted with an older key (a warning)
  white-space     white space around an encrypted password, which many readers reject (a warning)

The list of allowed values has a gitignore pattern of paths on each line, relative to its folder, and optionally the
fingerprint of the one value that is allowed there. To keep a password out of lists, encrypt it instead.

Binary files are skipped, and so are files larger than 16 MiB in folders; the summary counts them. A larger file that is
named on the command line is an error.`;

export function checkpwdCommand(context: CommandContext): Command {
  return new Command('checkpwd')
    .description(
      'Find passwords in plain text, and encrypted ones that no configured key decrypts, in files and folders.',
    )
    .argument('<paths...>', 'files and folders')
    .option(
      '--allow <file>',
      'file that lists the values that may be in plain text (default: validate.allow_plain)',
    )
    .option('--fingerprints', 'print the fingerprint of each value in plain text, for the file of --allow')
    .option('--strict', 'fail on warnings, too')
    .option('--fail-skipped', 'fail if files were skipped, and list them')
    .addHelpText('after', AFTER_HELP)
    .action(async (paths: string[], options: Options) => checkpwd(context, paths, options));
}

interface Skipped {
  readonly path: string;
  readonly reason: 'binary' | 'large';
}

async function checkpwd(context: CommandContext, paths: readonly string[], options: Options): Promise<void> {
  const { files, errors } = await listDocuments(paths, context.signal, EVERY_FILE);
  const keyless = keylessSince(context.config());
  const check = await fileCheck(context, options, keyless !== undefined);
  let unverified = 0;
  const findings: PasswordFinding[] = [];
  const skipped: Skipped[] = [];
  let checked = 0;
  for (const file of files) {
    const read = await readText(file, paths.includes(file), context);
    if (read.text !== undefined) {
      findings.push(...(await check(file, read.text)));
      checked += 1;
      if (documentFormat(file) && /!encpwd\s/.test(read.text)) unverified += 1;
    } else if (read.reason) skipped.push({ path: file, reason: read.reason });
    else errors.push(read.error);
  }
  const bad = findings.filter(({ severity }) => options.strict || severity === 'error').length;
  context.answer({
    text: escapeLines([...findings.map(findingText), summaryText(checked, skipped, findings)]),
    value: { files: checked, skipped: skipped.length, skipped_files: skipped, findings },
  });
  const unread =
    keyless === undefined || unverified === 0
      ? []
      : [`encrypted passwords in ${counted(unverified, 'file')} were not decrypted: ${keyless}`];
  if (!options.strict) for (const line of unread) context.note(`warning: ${line}`);
  if (errors.length > 0) throw new CommanderError('failed', errors);
  const unchecked = options.failSkipped ? skipped : [];
  const failures = [
    ...(bad > 0 ? [`${counted(bad, 'problem')} with passwords`] : []),
    ...(options.strict ? unread : []),
    ...unchecked.map(({ path, reason }) => `${path}: skipped: ${SKIP_REASONS[reason]}`),
  ];
  if (failures.length > 0) throw new CommanderError('failed', failures);
}

const SKIP_REASONS = { binary: 'it is binary', large: 'it is larger than 16 MiB' } as const;

/** `3 files checked, 2 skipped (1 binary, 1 larger than 16 MiB), no problems`. */
function summaryText(
  checked: number,
  skipped: readonly Skipped[],
  findings: readonly PasswordFinding[],
): string {
  const binary = skipped.filter(({ reason }) => reason === 'binary').length;
  const large = skipped.length - binary;
  const reasons = [
    ...(binary > 0 ? [`${binary} binary`] : []),
    ...(large > 0 ? [`${large} larger than 16 MiB`] : []),
  ];
  return [
    `${counted(checked, 'file')} checked`,
    ...(skipped.length > 0 ? [`${skipped.length} skipped (${reasons.join(', ')})`] : []),
    findings.length === 0 ? 'no problems' : counted(findings.length, 'problem'),
  ].join(', ');
}

/** Why no key is loaded: others' folders are checked, too, and a configuration in one must not run programs. */
function keylessSince({ found, pwdencryptor }: CommanderConfig): string | undefined {
  if (!found?.keys.has('pwdencryptor.key_command')) return undefined;
  const { key_commandOrigin: origin } = pwdencryptor;
  return `pwdencryptor.key_command (${origin}) is run only if you name the file; pass -c ${found.file} if you trust this folder`;
}

/** @param isKeyless true to check encrypted passwords without the configured key */
async function fileCheck(
  context: CommandContext,
  { allow, fingerprints = false }: Options,
  isKeyless: boolean,
): Promise<(file: string, text: string) => Promise<PasswordFinding[]>> {
  const { pwdencryptor, libraries } = context.config();
  const { sealed = [], allow_plain: configured } = libraries[0]?.validate ?? {};
  const list = allow ?? configured;
  const allowed = AllowList.read(list);
  const patterns = sealed.map(keyPattern);
  const { key_command: _, ...keyless } = pwdencryptor;
  const encrypted = await encryptedRules(isKeyless ? keyless : pwdencryptor, async () =>
    loadConfiguredKeys(context),
  );
  return async (file, text) =>
    checkPasswords(file, text, {
      // A place may name parent folders that the given path omits.
      encrypted: { ...encrypted, file: resolve(file) },
      fingerprints,
      isSecretKey: (name) => patterns.some((pattern) => pattern.test(name)),
      isAllowed: async (password) => allowed.allows(allowed.pathOf(file), password),
    });
}

/** A file's text, or why there is none. */
type Read =
  | { readonly text: string }
  | { readonly text?: undefined; readonly reason: Skipped['reason'] }
  | { readonly text?: undefined; readonly reason?: undefined; readonly error: string };

/** @param isNamed true unless the file was found in a folder */
async function readText(file: string, isNamed: boolean, context: CommandContext): Promise<Read> {
  try {
    const text = decodeText(await readDocumentBytes(file, context));
    return text === undefined ? { reason: 'binary' } : { text };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Larger files are data, not configuration.
    return error.cause instanceof TooLargeError && !isNamed ? { reason: 'large' } : { error: error.message };
  }
}

function findingText({ path, line, severity, rule, message, fingerprint }: PasswordFinding): string {
  const mark = fingerprint === undefined ? '' : `; fingerprint ${fingerprint}`;
  return `${path}:${line}: ${severity}: ${message} (${rule}${mark})`;
}
