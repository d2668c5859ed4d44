import { isReference } from './not-a-secret.js';

/** A form of secret that is recognised wherever it occurs. */
interface TokenForm {
  readonly name: string;
  /** Its first group is the secret; the whole match if it has none. */
  readonly pattern: RegExp;
}

const EDGE = String.raw`(?<![\w-])`;
const END = String.raw`(?![\w-])`;

/** Sources: the vendors' documentation of their token formats, as secret scanners list them. */
const FORMS: readonly TokenForm[] = [
  { name: 'private key', pattern: /-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----/g },
  { name: 'private JWK', pattern: /"kty"\s?:(?=[^{}]{0,300}"(?:k|d)"\s?:\s?"([\w-]{20,})")/g },
  {
    name: 'password in a URL',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@'"<>]{0,100}:([^\s/@'"<>]{1,200})@[\w.[\]-]/gi,
  },
  {
    name: 'password in a connection string',
    pattern: /[?&;]\s*(?:password|passwd|pwd)=([^;&\s"'<>]{1,200})/gi,
  },
  { name: 'credential in a header', pattern: /\b(?:Basic|Bearer) ([A-Za-z0-9+/._~-]{16,}={0,2})/g },
  {
    name: 'password of a command',
    pattern:
      /\b(?:curl\b[^\r\n]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"'$]{1,64}:|sshpass[ \t]+-p[ =]?["']?)([^\s"'$]{1,200})/g,
  },
  {
    // Postfix: `[smtp.example.com]:587 user:password`, `example.com user@example.com:password`
    name: 'password of a mail relay',
    pattern:
      /^(?:\[[\w-]{0,63}\.[\w.-]{1,190}\](?::\d+)?[ \t]+[^\s:#]{1,254}|[\w-]{0,63}[.@][\w.@-]{1,190}(?::\d+)?[ \t]+(?!git@)[^\s:@]{1,64}@[\w.-]{1,190}):(?!\d{1,5}\s*$)([^\s/]{1,200})[ \t]*$/gm,
  },
  {
    name: 'password of a mail relay',
    pattern: /password_maps[ \t]*=[ \t]*static:[^\s:]{1,254}:(\S{1,200})/g,
  },
  {
    name: 'password of a login',
    pattern:
      /\b(?:machine[ \t]+\S{1,200}|default)[ \t]+login[ \t]+\S{1,200}[ \t]+(?:account[ \t]+\S{1,200}[ \t]+)?password[ \t]+(\S{1,200})/g,
  },
  form('AWS access key', '((?:AKIA|ASIA)[A-Z0-9]{16})'),
  form('GitHub token', '(gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})'),
  form('GitLab token', '(gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\\w-]{20,})'),
  form('Slack token', '(xox[abeoprs]-[A-Za-z0-9-]{10,})'),
  { name: 'Slack webhook', pattern: /hooks\.slack\.com\/services\/(T\w+\/B\w+\/\w{20,})/g },
  form('Stripe key', '((?:sk|rk)_live_[A-Za-z0-9]{20,})'),
  form('Google API key', '(AIza[A-Za-z0-9_-]{35})'),
  form('npm token', '(npm_[A-Za-z0-9]{36})'),
  form('PyPI token', '(pypi-[A-Za-z0-9_-]{50,})'),
  form('SendGrid key', '(SG\\.[\\w-]{16,}\\.[\\w-]{16,})'),
  form('Hugging Face token', '(hf_[A-Za-z0-9]{30,})'),
  form('OpenAI key', '(sk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,})'),
  form('DigitalOcean token', '(do[opr]_v1_[a-f0-9]{64})'),
  form('Vault token', '(hv[sbr]\\.[\\w-]{24,})'),
  form('age key', '(AGE-SECRET-KEY-1[A-Z0-9]{50,})'),
  { name: 'Azure account key', pattern: /AccountKey=([A-Za-z0-9+/]{40,}={0,2})/g },
  form('JWT', '(eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{20,})'),
];

function form(name: string, body: string): TokenForm {
  return { name, pattern: new RegExp(`${EDGE}${body}${END}(?!\\.[\\w-])`, 'g') };
}

/** A secret of a known form. */
export interface FoundToken {
  readonly form: string;
  readonly offset: number;
  readonly value: string;
}

/** Finds secrets of known forms anywhere in a text, also in comments. */
export function findTokens(text: string): FoundToken[] {
  return FORMS.flatMap(({ name, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = match[1] ?? match[0];
      return isReference(value) || isExample(value) ? [] : [{ form: name, offset: match.index, value }];
    }),
  );
}

/** Vendors' documentation marks its examples so. */
const isExample = (value: string): boolean =>
  /EXAMPLE|^(my|your|the)?[_-]?(pass(word)?|pw|secret|token|key)$/i.test(value);
