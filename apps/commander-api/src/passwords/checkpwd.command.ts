import { keyPattern, toOneLine } from '@svc/library-sync';
import { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import { describeReadError, readFileAtMost } from '../files/read-at-most.js';
import { AllowList, pathBelow } from './allow-list.js';
import { checkPasswords, encryptedRules, type PasswordFinding } from './check-passwords.js';
import { listDocuments } from './list-documents.js';

interface Options {
  readonly allow?: string;
  readonly fingerprints?: boolean;
  readonly strict?: true;
}

/** Larger files are data, not configuration. */
const MAX_FILE_BYTES = 16 * 1_048_576;

const AFTER_HELP = `
Reports, each with its place and rule, never with its value:
  plain-key-name  a value in plain text under a key such as password, secret or token
  plain-token     a token of a known form, a private key, or a password in a URL, also in comments
  plain-entropy   a value that looks random
  unreadable      an encrypted password that is damaged, or that none of the configured keys decrypts
  recipients      sealed to others than pwdencryptor.recipients
  misplaced       bound to another place than where it is
  old-key         encrypted with an older key (a warning)

The list of allowed values has a gitignore pattern of paths on each line, relative to its folder, and optionally the
fingerprint of the one value that is allowed there. To keep a password out of lists, encrypt it instead.`;

export function checkpwdCommand(context: CommandContext): Command {
  return new Command('checkpwd')
    .description(
      'Find passwords in plain text, and encrypted ones that nothing decrypts, in files and folders.',
    )
    .argument('<paths...>', 'files and folders')
    .option('--allow <file>', 'list of values that may be plain (default: validate.allow_plain)')
    .option('--fingerprints', 'print the fingerprint of each value in plain text, for that list')
    .option('--strict', 'fail for warnings, too')
    .addHelpText('after', AFTER_HELP)
    .action(async (paths: string[], options: Options) => checkpwd(context, paths, options));
}

async function checkpwd(context: CommandContext, paths: readonly string[], options: Options): Promise<void> {
  const { files, errors } = await listDocuments(paths, context.signal, EVERY_FILE);
  const check = await fileCheck(context, options);
  const findings: PasswordFinding[] = [];
  let skipped = 0;
  for (const file of files) {
    const text = await readText(file, context, errors);
    if (text === undefined) skipped += 1;
    else findings.push(...(await check(file, text)));
  }
  const checked = files.length - skipped;
  const bad = findings.filter(({ severity }) => options.strict || severity === 'error').length;
  const summary = `${counted(checked, 'file')} checked, ${findings.length === 0 ? 'no problems' : counted(findings.length, 'problem')}`;
  context.answer({
    text: [...findings.map(findingText), summary].join('\n'),
    value: { files: checked, skipped, findings },
  });
  if (errors.length > 0) throw new CommanderError('failed', errors.join('\n'));
  if (bad > 0) throw new CommanderError('failed', `${counted(bad, 'problem')} with passwords`);
}

/** Hidden files as well: `.env` is where passwords are. */
const EVERY_FILE = { matches: () => true, hidden: true };

async function fileCheck(
  context: CommandContext,
  { allow, fingerprints = false }: Options,
): Promise<(file: string, text: string) => Promise<PasswordFinding[]>> {
  const { pwdencryptor, libraries } = context.config();
  const { sealed = [], allow_plain: configured } = libraries[0]?.validate ?? {};
  const list = allow ?? configured;
  const allowed = AllowList.read(list);
  const patterns = sealed.map(keyPattern);
  const encrypted = await encryptedRules(pwdencryptor, context.note);
  return async (file, text) =>
    checkPasswords(file, text, {
      encrypted,
      fingerprints,
      isSecretKey: (name) => patterns.some((pattern) => pattern.test(name)),
      isAllowed: async (password) => allowed.allows(pathBelow(list, file), password),
    });
}

/** @returns undefined for a file without text */
async function readText(
  file: string,
  context: CommandContext,
  errors: string[],
): Promise<string | undefined> {
  try {
    const bytes = await readFileAtMost(file, MAX_FILE_BYTES, context);
    if (bytes.includes(0)) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    context.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    errors.push(`${file}: the file cannot be read: ${describeReadError(error)}`);
    return undefined;
  }
}

function findingText({ path, line, severity, rule, message, fingerprint }: PasswordFinding): string {
  const mark = fingerprint === undefined ? '' : `; fingerprint ${fingerprint}`;
  return `${toOneLine(path)}:${line}: ${severity}: ${message} (${rule}${mark})`;
}
