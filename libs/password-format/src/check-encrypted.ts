import { decryptPassword, keyIdsOf } from './decrypt-password.js';
import type { DocumentScalar } from './documents/document-scalar.js';
import { type DocumentFormat, readDocument } from './documents/read-document.js';
import { DecryptionError } from './password-errors.js';
import type { PasswordKeys } from './password-key.js';
import { belongsAt } from './password-place.js';
import { bareValue, readEncrypted } from './read-encrypted.js';
import { SEALING } from './sealing-keys.js';

/** What is wrong with an encrypted password. The message never contains the password or a key. */
export interface EncryptedProblem {
  readonly line: number;
  /**
   * `unreadable`: damaged, or none of the keys decrypts it; `old-key`: not encrypted with the current key; `recipients`: sealed to
   * others than the current recipients; `misplaced`: bound to another place; `white-space`: around the value.
   */
  readonly code: 'unreadable' | 'old-key' | 'recipients' | 'misplaced' | 'white-space';
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface EncryptedRules {
  /** Without keys, only what needs none is checked. */
  readonly keys?: PasswordKeys | undefined;
  /** Ids of the public keys that passwords must be sealed to; empty if they need not be sealed. */
  readonly recipients: readonly string[];
  /** The file's path, for passwords that are bound to a place. */
  readonly file?: string;
}

/** Checks every `!encpwd` scalar of a text. A text that cannot be parsed is a problem if it contains `!encpwd`. */
export async function checkEncrypted(
  text: string,
  format: DocumentFormat,
  rules: EncryptedRules,
): Promise<EncryptedProblem[]> {
  if (!text.includes('!encpwd')) return [];
  const { scalars, errors } = await readDocument(text, format);
  const problems: EncryptedProblem[] = errors.map(({ line, message }) =>
    problem(line, 'unreadable', message),
  );
  for (const scalar of scalars.filter(({ mark }) => mark === 'encpwd'))
    problems.push(...(await checkScalar(scalar, rules)));
  return problems.sort((a, b) => a.line - b.line);
}

function problem(
  line: number,
  code: EncryptedProblem['code'],
  message: string,
  severity: EncryptedProblem['severity'] = 'error',
): EncryptedProblem {
  return { line, code, severity, message };
}

async function checkScalar(scalar: DocumentScalar, rules: EncryptedRules): Promise<EncryptedProblem[]> {
  const encrypted = bareValue(scalar.value);
  const at = (...args: Parameters<typeof problem> extends [number, ...infer Rest] ? Rest : never) =>
    problem(scalar.line, ...args);
  try {
    const { place, keys: wanted } = readEncrypted(encrypted);
    const kids = keyIdsOf(encrypted).flatMap((kid) => kid ?? []);
    const isSealed = wanted[0].alg === SEALING;
    // Values sealed to the recipients are theirs to decrypt: none of our keys has to.
    const isTheirs = isSealed && kids.some((kid) => rules.recipients.includes(kid));
    if (rules.keys && !(isTheirs && !rules.keys.some(({ kid }) => kids.includes(kid))))
      await decryptPassword(encrypted, rules.keys);
    const wrongKeys = isSealed && rules.recipients.length > 0 ? recipientProblem(kids, rules) : undefined;
    const old = wrongKeys ? undefined : oldKeyProblem(kids, isSealed, rules);
    return [
      ...(wrongKeys ? [at('recipients', wrongKeys)] : []),
      ...(old ? [at('old-key', old, 'warning')] : []),
      ...(scalar.value === scalar.value.trim() ? [] : [at('white-space', WHITE_SPACE, 'warning')]),
      ...(place !== undefined && rules.file !== undefined && !belongsAt(place, rules.file, scalar.path)
        ? [
            at(
              'misplaced',
              `bound to ${JSON.stringify(place)}, which is another place; encrypt the password again`,
            ),
          ]
        : []),
    ];
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    return [at('unreadable', error.message)];
  }
}

const WHITE_SPACE =
  'white space around the encrypted password, such as the line break of a block, which many readers reject; remove it (in YAML, "|-" instead of "|"), or set the password again with "svccmd encpwd --set"';

/** @returns undefined if the password is sealed to exactly the current recipients */
function recipientProblem(kids: readonly string[], { recipients }: EncryptedRules): string | undefined {
  const gone = kids.filter((kid) => !recipients.includes(kid));
  const missing = recipients.filter((kid) => !kids.includes(kid));
  const remedy =
    'rotate it with "svccmd encpwd --rotate", and change the password if its reader is not trusted';
  if (gone.length > 0)
    return `sealed to key ${gone.join(', ')}, which is not a recipient any more; ${remedy}`;
  if (missing.length > 0)
    return `not sealed to recipient ${missing.join(', ')}, which cannot decrypt it; rotate it with "svccmd encpwd --rotate"`;
  return undefined;
}

function oldKeyProblem(
  kids: readonly string[],
  isSealed: boolean,
  { keys, recipients }: EncryptedRules,
): string | undefined {
  const remedy = 'rotate it with "svccmd encpwd --rotate"';
  if (recipients.length > 0)
    return isSealed
      ? undefined
      : `encrypted with symmetric key ${kids.join(', ')} instead of sealed; ${remedy}`;
  const [current] = keys ?? [];
  if (!current || kids.length === 0 || kids.includes(current.kid)) return undefined;
  return `encrypted with the older key ${kids.join(', ')} instead of ${current.kid}; ${remedy}`;
}
