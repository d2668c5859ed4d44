import { LineIndex } from '../documents/document-scalar.js';
import { formatKeyPath } from '../documents/key-path.js';
import type { DocumentFormat } from '../documents/read-document.js';
import type { Candidate } from './candidate.js';
import { candidatesIn } from './candidates-in.js';
import { looksRandom } from './entropy.js';
import { defaultOf, isLabel, isReference } from './not-a-secret.js';
import { PlainPassword, type PlainRule } from './plain-password.js';
import { secretKind } from './secret-names.js';
import { findTokens } from './token-forms.js';

interface PlainOptions {
  /** Names of keys, beyond those known, below which every value is a password. */
  readonly isSecretKey?: ((name: string) => boolean) | undefined;
}

/**
 * Finds passwords in plain text: by the names of keys, by the known forms of tokens, by values that look random, and by the mark
 * of those that are still to be encrypted.
 *
 * @param format undefined for other text, in which assignments count as keys and values
 */
export async function findPlainPasswords(
  text: string,
  format: DocumentFormat | undefined,
  options: PlainOptions = {},
): Promise<PlainPassword[]> {
  const lines = new LineIndex(text);
  const found = new FoundByLine();
  for (const { form, offset, value } of findTokens(text))
    found.add(new PlainPassword('token', { line: lines.lineOf(offset), name: form }, value));
  for (const candidate of await candidatesIn(text, format, lines)) {
    const { value: whole, path, line, isScalar } = candidate;
    const value = defaultOf(whole) ?? whole;
    const rule = ruleFor({ ...candidate, value }, options);
    if (rule) found.add(new PlainPassword(rule, { line, name: formatKeyPath(path), isScalar }, value));
  }
  return found.inOrder();
}

/** Findings, each text once. */
class FoundByLine {
  private readonly lines = new Map<number, PlainPassword[]>();

  add(password: PlainPassword): void {
    const found = this.lines.get(password.line) ?? [];
    this.lines.set(password.line, found);
    const isKnown =
      password.rule !== 'token' &&
      found.some((other) => !(other.isScalar && password.isScalar) && other.covers(password));
    if (!isKnown || password.rule === 'marked') found.push(password);
  }

  inOrder(): PlainPassword[] {
    return [...this.lines.values()].flat().sort((a, b) => a.line - b.line);
  }
}

/** Longer texts are not passwords, but may contain tokens. */
const MAX_VALUE_LENGTH = 4_096;

/** Numbers are passwords if they have at least as many digits. */
const MIN_DIGITS = 4;

/** Shorter tokens are names or switches. */
const MIN_TOKEN_LENGTH = 8;

function ruleFor(candidate: Candidate, { isSecretKey }: PlainOptions): PlainRule | undefined {
  const { path, value, isMarked, isPart } = candidate;
  if (isMarked) return 'marked';
  if (value.length > MAX_VALUE_LENGTH || isReference(value)) return undefined;
  const keys = path.filter((key) => !/^\d+$/.test(key));
  if (isSecretKey && keys.some(isSecretKey)) return 'key-name';
  const last = keys.at(-1) ?? '';
  const kind = secretKind(last) ?? secretKind(keys.slice(-2).join(' ')) ?? belowSecrets(keys);
  if (kind === 'password' && !isText(last, value) && !isShortNumber(value)) return 'key-name';
  if (kind === 'token' && value.length >= MIN_TOKEN_LENGTH && !/\s/.test(value) && !isWord(value))
    return 'key-name';
  return !isPart && looksRandom(value, path) ? 'entropy' : undefined;
}

/** `passwords: {db: ..., cache: ...}`: a map of secrets, by a plural. */
function belowSecrets(keys: readonly string[]): 'password' | undefined {
  const parent = keys.at(-2);
  return parent !== undefined && /(passwords|passphrases)$/i.test(parent)
    ? (secretKind(parent) as 'password')
    : undefined;
}

/** Labels, and what passes or fails: `pass: The document has a title`. */
const isText = (key: string, value: string): boolean =>
  isLabel(key, value) || (/pass$/i.test(key) && /\s/.test(value));

const isShortNumber = (value: string): boolean => /^-?\d+(\.\d+)?$/.test(value) && value.length < MIN_DIGITS;

/** `token: bearer-token`, `token: team-a-3`: words and short numbers. */
const isWord = (value: string): boolean =>
  value.split(/[-_.]/).every((part) => /^([A-Z]?[a-z]*|\d{1,3})$/.test(part));
