/** What the name of a key says about its value. */
export type SecretKind =
  /** Chosen by people: any text may be one, also a number. */
  | 'password'
  /** Made by programs: long and without spaces. */
  | 'token';

/** Words of key names, joined where they are two; the longest match counts. */
const KINDS: Readonly<Record<string, SecretKind>> = {
  password: 'password',
  passwords: 'password',
  passwd: 'password',
  passwort: 'password',
  pwd: 'password',
  pw: 'password',
  pass: 'password',
  passphrase: 'password',
  passcode: 'password',
  psk: 'password',
  secret: 'password',
  secrets: 'token',
  credential: 'password',
  credentials: 'token',
  token: 'token',
  tokens: 'token',
  apikey: 'token',
  'api key': 'token',
  'access key': 'token',
  'secret key': 'token',
  'private key': 'token',
  'encryption key': 'token',
  'signing key': 'token',
  'account key': 'token',
  'app key': 'token',
  'jwt key': 'token',
  'shared key': 'token',
  'master key': 'token',
  'auth key': 'token',
};

/** Words before a secret's name that make it about the secret. */
const ABOUT = new Set(
  `min max minimum maximum forgot forgotten reset show hide confirm confirmation repeat change invalid wrong missing is has use
  require requires required allow allowed enable enabled disable disabled no public hashed encrypted sealed page csrf
  cancellation`.split(/\s+/),
);

/** Words that are part of a secret's name and do not make it about something else. */
const NEUTRAL =
  /^(\d+|value|new|old|current|previous|default|base64|b64|plain|string|data|prod|dev|test|admin|root|user|db)$/;

/** Longer texts are not names. */
const MAX_NAME = 200;

/** The words of a name in camelCase, snake_case, kebab-case or with dots. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d+)$/, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** What a key with this name holds; undefined if its name does not say that it is a secret. */
export function secretKind(name: string): SecretKind | undefined {
  // Routes and packages: `GET /token`, `@inquirer/password`; servers of nginx: `proxy_pass`.
  if (/[/@]|^(proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass$/.test(name)) return undefined;
  const words = wordsOf(name);
  while (words.length > 1 && NEUTRAL.test(words.at(-1)!)) words.pop();
  if (words.some((word) => ABOUT.has(word))) return undefined;
  const last = words.at(-1) ?? '';
  const pair = words.slice(-2).join(' ');
  if (Object.hasOwn(KINDS, pair)) return KINDS[pair];
  if (Object.hasOwn(KINDS, last)) return KINDS[last];
  return oneWordKind(last, words);
}

/** dbpassword, authtoken, secretkey: written as one word. */
function oneWordKind(word: string, words: readonly string[]): SecretKind | undefined {
  const [, kind] =
    /(password|passwd|passphrase|secret|token|apikey|(?:access|account|auth|encryption|master|private|secret|shared|signing)key)$/.exec(
      word,
    ) ?? [];
  if (kind !== undefined) return kind.endsWith('key') ? 'token' : KINDS[kind];
  // bindpw, keypass and others; unlike `compass`, or `proxy_pass` of nginx.
  return words.length === 1 &&
    /^(require|key|store|trust|ssh|db|user|admin|root|smtp|mail|ftp|ldap|http|sa)pass$|^(bind|root|db|user|admin|ldap|ssh)pw$/.test(
      word,
    )
    ? 'password'
    : undefined;
}
