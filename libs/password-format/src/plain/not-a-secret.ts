import { isPath } from './path-shape.js';
import { wordsOf } from './secret-names.js';

/** Values that name a secret, or say that there is none, instead of being one. */
const REFERENCES: readonly RegExp[] = [
  // Variables and templates of shells, compose, Spring, Helm, Jinja, Python, Windows, Ansible.
  /^\$\{[^}]*\}$|^\$[A-Z_][A-Z0-9_]*$|^\$env:\w+$|^\$\([^)]*\)$|^\$__\w+\{[^}]*\}$|^#\{[^}]*\}#?$|\{\{.*\}\}|^%\([^)]*\)s$|^%\w+%$|^@[\w.-]+@$|^__\w+__$/s,
  /^<[^<>]*>$|^\[[^\]]*\]$|^\{[\w.-]*\}$/,
  /^%[a-z]\//i,
  // Where the secret is: files, environment, secret stores.
  /^(env|file|vault|secret|credential|ssm|op|keyring|sops|gcp|azure|awssm|doppler|ref|arn|projects):/i,
  /^[\w.-]+:\/[\w.\/-]+$/,
  /^(arn:|op:\/\/|projects\/[\w-]+\/secrets\/)/,
  /^[\w.-]+\/[\w./-]+\.(key|pem|crt|jwk|txt|file)$|^[\w.-]+\.(key|pem|crt|jwk|p12|jks|pub|txt|conf|ya?ml|json)$/i,
  // What is masked or left out.
  /^([^A-Za-z0-9])\1{2,}$|^[*x.•?-]+$/i,
  /^(none|null|nil|undefined|true|false|yes|no|on|off|n\/a|tbd|todo|redacted|masked|hidden|unset|empty|optional|required)$/i,
  /^(your|my|insert|enter|put|replace|change|the|an?|some)[-_ ].*(here|password|secret|token|key)\b/i,
];

/** Values that are protected otherwise: encrypted, or hashed to be compared. */
const PROTECTED: readonly RegExp[] = [
  /^!?ENC\[|^\$ANSIBLE_VAULT;|^-----BEGIN (PGP|AGE)|^vault:v\d+:|^age1[a-z0-9]+$|^AQICAH|^\{cipher\}/,
  /^!?encpwd\s/,
  /^eyJ[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/,
  /^\$(2[abxy]|argon2\w*|[156y]|scrypt|pbkdf2[\w-]*|apr1)\$|^\{(SSHA?\d*|SHA\d*|CRYPT|ARGON2|PBKDF2[^}]*)\}|^pbkdf2/i,
];

/** True for a value that only stands for a secret, wherever it is. */
export function isReference(value: string): boolean {
  const text = value.trim().replace(/^("""|''')(.*)\1$/s, '$2');
  return text === '' || isPath(text) || [...REFERENCES, ...PROTECTED].some((pattern) => pattern.test(text));
}

/** In front of a default: the name of a variable or property, and not of a source such as `file` or `env`. */
const WITH_DEFAULT = /^\$\{(?:[A-Z_][A-Z0-9_]*|[\w-]+\.[\w.-]+)(?::-|-|:)(?![?+])([^{}]*)\}$/;

/** What stands in for a variable that is not set: `${DB_PASSWORD:-hunter2}`, `{{ password | default('hunter2') }}`. */
export function defaultOf(value: string): string | undefined {
  const text = value.trim();
  const [, own] = WITH_DEFAULT.exec(text) ?? [];
  if (own) return own;
  return /^\{\{.{0,200}\|\s{0,8}default\(\s{0,8}(["'])([^"']{1,200})\1/.exec(text)?.[2];
}

/** True for a text that people read, as in translations: `password: Enter your password`. */
export function isLabel(key: string, value: string): boolean {
  const names = wordsOf(key);
  const words = wordsOf(value);
  if (words.length === 0) return false;
  // `login.password: Password`
  const tail = /^\p{Lu}/u.test(value) ? names.slice(-words.length) : names;
  if (words.join(' ') === tail.join(' ')) return true;
  if (!/\s/.test(value.trim())) return false;
  return (
    /[?:.!…]$/.test(value.trim()) ||
    words.some((word) => /^pass(word|phrase|code)s?$|^token$|^secret$/.test(word))
  );
}
