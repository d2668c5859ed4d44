/** A setting: one line, or a block of several. */
export interface Entry {
  readonly kind: string;
  readonly isSecret: boolean;
  readonly key: string;
  readonly value: string;
  /** It is written in a comment; not in JSON. */
  readonly comment?: 'setting' | 'prose';
}

/** mulberry32, so that each seed has its own corpus everywhere. */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const BASE62 = LOWER + UPPER + DIGITS;
export const BASE64 = `${BASE62}+/`;
const words = (text: string): readonly string[] => text.split(/\s+/);

const NOUNS = words(
  'falcon summer winter tiger dragon office berlin monkey sunshine princess coffee garden silver orange purple rocket pepper guitar hockey ranger soccer diamond shadow thunder banana cookie marble copper window bridge castle forest harbor island jungle kitten lemon meadow needle ocean pencil quartz river saddle temple umbrella velvet walnut yellow zebra',
);

/** As people choose them. */
function humanPassword(random: Random): string {
  const [a, b] = [random.of(NOUNS), random.of(NOUNS)];
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return random.of([
    () => `${a}${random.below(100)}`,
    () => `${capital(a)}${1980 + random.below(45)}!`,
    () => `${a}-${b}-${random.below(1000)}`,
    () => `${a.replace('o', '0').replace('e', '3')}${random.of(['!', '#', '_'])}${b}`,
    () => `${a} ${b} ${random.of(NOUNS)} ${random.of(NOUNS)}`,
    () => random.text(BASE62, 8 + random.below(9)),
    () => random.text(`${BASE62}!#%&*+-_=?`, 12),
    () => random.text(DIGITS, 6 + random.below(3)),
    () => a,
    () => 'changeme',
  ])();
}

const PASSWORD_KEYS = words(
  'password db_password dbPassword DB_PASSWORD smtp-password smtpPass admin_pwd rootPasswd redis_passphrase keystorePassword ldap_bind_password PGPASSWORD secret client_secret clientSecret webhookSecret shared-secret jwt_secret zookeeper.auth.password password2 user_password new_password',
);
const TOKEN_KEYS = words(
  'api_key apiKey access_token accessToken authToken AUTH_TOKEN secret_key secretKey private-key encryption_key deploy_token bot_token refresh_token token',
);
const NEUTRAL_KEYS = words(
  'value endpoint target name output cookie license webhook upstream seed channel connector input data slot region tag label note config extra param parent group owner',
);

export type Maker = (random: Random) => Omit<Entry, 'isSecret' | 'kind'>;

const neutral = (random: Random, value: string) => ({ key: random.of(NEUTRAL_KEYS), value });

/** Of each kind of secret, how it is made. Kinds whose name begins with "hard" are beyond what rules can tell. */
export const SECRETS: Readonly<Record<string, Maker>> = {
  'password by key': (random) => ({ key: random.of(PASSWORD_KEYS), value: humanPassword(random) }),
  'token by key': (random) => ({
    key: random.of(TOKEN_KEYS),
    value: random.of([
      random.text(BASE62, 16 + random.below(25)),
      random.text(HEX, 32),
      random.text(BASE64, 43),
    ]),
  }),
  'token of a known form': (random) =>
    neutral(
      random,
      random.of([
        `AKIA${random.text(UPPER + '234567', 16)}`,
        `ghp_${random.text(BASE62, 36)}`,
        `glpat-${random.text(BASE62, 20)}`,
        `xoxb-${random.text(DIGITS, 12)}-${random.text(BASE62, 24)}`,
        `sk_live_${random.text(BASE62, 24)}`,
        `AIza${random.text(BASE62, 35)}`,
        `npm_${random.text(BASE62, 36)}`,
        `hvs.${random.text(BASE62, 28)}`,
      ]),
    ),
  'password in a URL': (random) =>
    neutral(
      random,
      `${random.of(['postgres', 'amqp', 'redis', 'https', 'mongodb+srv', 'git'])}://${random.of(NOUNS)}:${random.text(BASE62, 6 + random.below(10))}@${random.of(NOUNS)}.example.com/${random.of(NOUNS)}`,
    ),
  'connection string': (random) =>
    neutral(random, `Server=${random.of(NOUNS)};User=sa;Password=${random.text(BASE62, 10)};Timeout=5`),
  'random value, neutral key': (random) =>
    neutral(
      random,
      random.of([
        random.text(BASE64, 44),
        random.text(BASE62, 32),
        random.text(BASE62, 24),
        random.text(HEX, 64),
      ]),
    ),
  'private key': (random) =>
    neutral(random, `-----BEGIN ${random.of(['', 'RSA ', 'EC ', 'OPENSSH '])}PRIVATE KEY-----`),
  'setting in a comment': (random) => ({
    key: random.of(PASSWORD_KEYS.slice(0, 12)),
    value: humanPassword(random).replaceAll(' ', '-'),
    comment: 'setting',
  }),
  'hard: chosen password, neutral key': (random) => ({
    key: random.of(words('login pw kennwort motDePasse auth pin wifi unlock')),
    value: humanPassword(random),
  }),
  'hard: prose in a comment': (random) => ({
    key: '',
    value: `the old password was ${humanPassword(random)}`,
    comment: 'prose',
  }),
};

const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => random.text(HEX, length)).join('-');

/** What looks like a secret and is none. */
export const DECOYS: Readonly<Record<string, Maker>> = {
  placeholder: (random) => ({
    key: random.of([...PASSWORD_KEYS, ...TOKEN_KEYS]),
    value: random.of([
      '${DB_PASSWORD}',
      '$DB_PASSWORD',
      '{{ vault_password }}',
      '<password>',
      '%(password)s',
      '@db.password@',
      '********',
      'xxxxxxxx',
      'REDACTED',
      'vault:secret/data/db#password',
      'env:DB_PASSWORD',
      '/run/secrets/db_password',
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:db',
      'op://vault/db/password',
      'null',
      '',
      '<your-api-key>',
      'secrets/db.key',
    ]),
  }),
  'encrypted or hashed': (random) => ({
    key: random.of(PASSWORD_KEYS),
    value: random.of([
      `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${random.text(BASE62, 16)}.${random.text(BASE62, 12)}.${random.text(BASE62, 22)}`,
      `ENC[PKCS7,${random.text(BASE64, 80)}]`,
      `$2b$12$${random.text(`${BASE62}./`, 53)}`,
      `$argon2id$v=19$m=65536,t=3,p=4$${random.text(BASE62, 22)}$${random.text(BASE62, 43)}`,
      `{SSHA}${random.text(BASE64, 32)}`,
      `vault:v1:${random.text(BASE64, 60)}`,
    ]),
  }),
  'about a secret': (random) => {
    const [key, value] = random.of([
      ['password_file', '/etc/svc/password.txt'],
      ['min_password_length', '12'],
      ['passwordPolicy', 'strong-2024'],
      ['token_url', 'https://idp.example.com/oauth2/token'],
      ['tokenType', 'Bearer'],
      ['token_ttl', '3600'],
      ['secretName', 'database-credentials'],
      ['secret_ref', 'collector/db'],
      ['forgot_password', 'Forgot your password?'],
      ['password', 'Password'],
      ['password', 'Enter your password'],
      ['passwordField', 'user_password'],
      ['reset_password', 'https://example.com/reset'],
      ['tokenizer', 'standard'],
      ['password_hash', 'bcrypt'],
      ['credentials_provider', 'environment'],
      ['api_key_header', 'X-Api-Key-Version-2'],
      ['passwords_enabled', 'true'],
      ['token_audience', 'https://collector.example.com'],
      ['secret_rotation', '90d'],
      ['pass', 'true'],
      ['compass', 'north'],
      ['keyboard', 'qwertz'],
      ['passthrough', 'enabled'],
      ['public_key', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.text(BASE62, 43)}`],
    ] as const);
    return { key, value };
  },
  identifier: (random) => ({
    key: random.of(words('id node request trace-id owner value group parent')),
    value: random.of([uuid(random), `${random.text(DIGITS, 18)}`, `urn:uuid:${uuid(random)}`]),
  }),
  digest: (random) => {
    const [key, length] = random.of([
      ['sha256', 64],
      ['commit', 40],
      ['md5', 32],
      ['etag', 32],
      ['checksum', 64],
      ['fingerprint', 40],
      ['revision', 40],
    ] as const);
    return { key, value: random.text(HEX, length) };
  },
  'digest in a reference': (random) => ({
    key: random.of(words('image value integrity name')),
    value: random.of([
      `registry.example.com/svc/collector@sha256:${random.text(HEX, 64)}`,
      `sha512-${random.text(BASE64, 86)}==`,
      `git+https://git.example.com/svc.git#${random.text(HEX, 40)}`,
    ]),
  }),
  'encoded data': (random) => ({
    key: random.of(words('icon logo certificate data-uri x5t')),
    value: random.of([
      `data:image/png;base64,iVBORw0KGgo${random.text(BASE64, 120)}`,
      `MIIB${random.text(BASE64, 200)}`,
      random.text(BASE64, 43),
    ]),
  }),
  address: (random) => ({
    key: random.of(NEUTRAL_KEYS),
    value: random.of([
      `https://${random.of(NOUNS)}.example.com/${random.of(NOUNS)}?page=${random.below(100)}&sort=desc`,
      `/opt/svc/${random.of(NOUNS)}/${random.of(NOUNS)}-2.14.3/lib/${random.of(NOUNS)}.so`,
      `com.example.${random.of(NOUNS)}.${random.of(NOUNS)}.Event${random.below(100)}Handler`,
      `${random.of(NOUNS)}@${random.of(NOUNS)}.example.com`,
      `zookeeper-1:2181,zookeeper-2:2181/${random.of(NOUNS)}`,
      `https://git@git.example.com:8443/${random.of(NOUNS)}.git`,
    ]),
  }),
  pattern: (random) => ({
    key: random.of(words('regex pattern match expression value')),
    value: random.of([
      '^(?<time>\\d{4}-\\d\\d-\\d\\dT\\S+) (?<host>\\S+) sshd\\[\\d+\\]: (.*)$',
      '%{TIMESTAMP_ISO8601:time} %{LOGLEVEL:level} %{GREEDYDATA:message}',
      '[A-Za-z0-9+/]{20,}={0,2}',
    ]),
  }),
  prose: (random) => ({
    key: random.of(words('description title message summary note')),
    value: random.of([
      'Failed password for invalid user',
      'User changed the password',
      'Accepted publickey for root',
      'Token expired, please sign in',
      `Detects ${random.of(NOUNS)} traffic`,
    ]),
  }),
  number: (random) => ({
    key: random.of(words('port timeout limit weight size level count')),
    value: String(random.below(90_000)),
  }),
  word: (random) => ({
    key: random.of(NEUTRAL_KEYS),
    value: random.of([
      random.of(NOUNS),
      `${random.of(NOUNS)}-${random.of(NOUNS)}-${random.below(20)}`,
      `Event${random.of(NOUNS)}Login2FailedForUser`,
      `${random.of(NOUNS)}_${random.of(NOUNS)}_v${random.below(9)}`,
      'true',
      '2026-01-05T10:00:00Z',
      '1.24.0-rc.3',
    ]),
  }),
  'comment on a secret': (random) => ({
    key: '',
    value: random.of([
      'the password is in the vault',
      'password: see the vault',
      'token rotation happens monthly',
      'never commit secrets here',
    ]),
    comment: 'prose',
  }),
  'hard: random identifier': (random) => ({
    key: random.of(NEUTRAL_KEYS),
    value: random.of([
      random.text(BASE62, 27),
      `${random.of(NOUNS)}-${random.text(BASE62, 20)}`,
      random.text(HEX, 32),
    ]),
  }),
  'hard: name as a token': (random) => ({
    key: random.of(words('token api_key access_token')),
    value: random.of(['collector-2-token', 'team-a-key-03', 'svc_reader_01']),
  }),
};
