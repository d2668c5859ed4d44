import { scrypt } from 'node:crypto';
import { LineIndex } from '../documents/document-scalar.js';
import { formatKeyPath } from '../documents/key-path.js';
import { type DocumentFormat, readDocument } from '../documents/read-document.js';
import { looksRandom } from './entropy.js';
import { isLabel, isReference } from './not-a-secret.js';
import { secretKind } from './secret-names.js';
import { findTokens } from './token-forms.js';

/** Which rule found a plain password. */
export type PlainRule = 'key-name' | 'token' | 'entropy';

/** A password in plain text. Its value is private, so that it cannot end up in logs or JSON. */
export class PlainPassword {
  readonly #value: string;

  constructor(
    readonly rule: PlainRule,
    readonly line: number,
    /** The path of its key, or the name of the token's form. */
    readonly name: string,
    value: string,
  ) {
    this.#value = value;
  }

  get message(): string {
    if (this.rule === 'token')
      return `plain ${this.name}; encrypt it with "svccmd encpwd", and revoke it if it was shared`;
    const key = JSON.stringify(this.name);
    return this.rule === 'key-name'
      ? `plain password at ${key}; encrypt it with "svccmd encpwd --set"`
      : `value at ${key} looks like a secret; encrypt it with "svccmd encpwd --set", or allow it`;
  }

  /**
   * Identifies the value at its key, for lists of what is allowed. Slow on purpose (scrypt), so that guesses at a password cannot
   * be tested quickly.
   */
  async fingerprint(): Promise<string> {
    return new Promise((resolve, reject) => {
      scrypt(this.#value, `encpwd plain ${this.name}`, 12, (error, hash) =>
        error ? reject(error) : resolve(hash.toString('base64url')),
      );
    });
  }

  /** True if both are about the same text. */
  covers(other: PlainPassword): boolean {
    return (
      this.line === other.line && (this.#value.includes(other.#value) || other.#value.includes(this.#value))
    );
  }
}

interface Candidate {
  readonly path: readonly string[];
  readonly value: string;
  readonly line: number;
}

interface PlainOptions {
  /** Names of keys, beyond those known, below which every value is a password. */
  readonly isSecretKey?: (name: string) => boolean;
}

/**
 * Finds passwords in plain text: by the names of keys, by the known forms of tokens, and by values that look random.
 *
 * @param format undefined for other text, in which assignments of quoted text count as keys and values
 */
export async function findPlainPasswords(
  text: string,
  format: DocumentFormat | undefined,
  options: PlainOptions = {},
): Promise<PlainPassword[]> {
  const lines = new LineIndex(text);
  const tokens = findTokens(text).map(
    ({ form, offset, value }) => new PlainPassword('token', lines.lineOf(offset), form, value),
  );
  const found = [...tokens];
  for (const candidate of await candidatesIn(text, format, lines)) {
    const rule = ruleFor(candidate, options);
    if (!rule) continue;
    const name = formatKeyPath(candidate.path);
    const password = new PlainPassword(rule, candidate.line, name, candidate.value);
    if (!tokens.some((token) => token.covers(password))) found.push(password);
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Parsing more would block other work for too long; its lines are searched instead. */
const MAX_PARSED_LENGTH = 262_144;

async function candidatesIn(
  text: string,
  format: DocumentFormat | undefined,
  lines: LineIndex,
): Promise<Candidate[]> {
  if (format && text.length > MAX_PARSED_LENGTH)
    return [...looseSettings(text, lines), ...commentedOut(text, lines)];
  if (!format) return [...assignmentsIn(text, lines), ...commentedOut(text, lines)];
  const { scalars, errors } = await readDocument(text, format);
  if (errors.length > 0) return [...looseSettings(text, lines), ...commentedOut(text, lines)];
  return [
    ...scalars.filter(({ mark, value }) => mark !== 'encpwd' && value !== ''),
    ...(format === 'json' ? [] : commentedOut(text, lines)),
  ];
}

/** Longer texts are not passwords, but may contain tokens. */
const MAX_VALUE_LENGTH = 4_096;

/** Numbers are passwords if they have at least as many digits. */
const MIN_DIGITS = 4;

/** Shorter tokens are names or switches. */
const MIN_TOKEN_LENGTH = 8;

function ruleFor({ path, value }: Candidate, { isSecretKey }: PlainOptions): PlainRule | undefined {
  if (value.length > MAX_VALUE_LENGTH || isReference(value)) return undefined;
  const keys = path.filter((key) => !/^\d+$/.test(key));
  if (isSecretKey && keys.some(isSecretKey)) return 'key-name';
  const last = keys.at(-1) ?? '';
  const kind = secretKind(last) ?? belowSecrets(keys);
  if (kind === 'password' && !isText(last, value) && !isShortNumber(value)) return 'key-name';
  if (kind === 'token' && value.length >= MIN_TOKEN_LENGTH && !/\s/.test(value) && !isWord(value))
    return 'key-name';
  return looksRandom(value, path) ? 'entropy' : undefined;
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

/** `# password: hunter2`: settings in comments, which may have been in use. */
function commentedOut(text: string, lines: LineIndex): Candidate[] {
  return [
    ...text.matchAll(/^[ \t]*[#;]+[ \t]*(?:- )?["']?([\w.-]{2,64})["']?[ \t]*[:=][ \t]*(\S[^\r\n]*)$/gm),
  ].flatMap(({ 0: all, 1: key = '', 2: raw = '', index }) => {
    const value = raw
      .replace(/\s[#;].*$/, '')
      .replace(/^(["'])(.*)\1\s*$/, '$2')
      .trim();
    // Prose has a colon, too.
    if (/\s/.test(value)) return [];
    return [{ path: [key], value, line: lines.lineOf(index + all.search(/[#;]/)) }];
  });
}

/** In a file that cannot be parsed, such as a template of YAML: `key: value` lines. */
function looseSettings(text: string, lines: LineIndex): Candidate[] {
  const pattern = /^[ \t]*(?:- +)*["']?([\w.-]{1,64})["']?[ \t]*:[ \t]+(\S[^\r\n]*)$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', 2: raw = '', index }) => {
    const value = raw
      .replace(/\s#.*$/, '')
      .trimEnd()
      .replace(/,$/, '');
    if (/^!encpwd\b|^[|>&*]/.test(value)) return [];
    return [{ path: [key], value: value.replace(/^(["'])(.*)\1$/, '$2'), line: lines.lineOf(index) }];
  });
}

/** In any other text: shell variables, and quoted text that is assigned. */
function assignmentsIn(text: string, lines: LineIndex): Candidate[] {
  const pattern =
    /(?:^[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+)?([A-Z][A-Z0-9_]{2,64})=([^\s"'$`(]\S*)[ \t]*$)|(?:(?<![\w.])["']?([A-Za-z_][\w.-]{1,64})["']?[ \t]*(?:=|:|=>|:=)[ \t]*(["'])((?:(?!\4)[^\\\r\n]){1,512})\4)/gm;
  return [...text.matchAll(pattern)].map(({ 1: name, 2: bare, 3: key, 5: quoted, index }) => ({
    path: [name ?? key ?? ''],
    value: bare ?? quoted ?? '',
    line: lines.lineOf(index),
  }));
}
