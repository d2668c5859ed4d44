import { inspect } from 'node:util';
import type { DocumentFormat } from '../documents/read-document.js';
import { findPlainPasswords } from './find-plain.js';
import { secretKind } from './secret-names.js';

const found = async (text: string, format: DocumentFormat | 'other' = 'yaml') =>
  (await findPlainPasswords(text, format === 'other' ? undefined : format)).map(({ line, rule, name }) => [
    line,
    rule,
    name,
  ]);

test.each([
  ['password', 'password'],
  ['dbPassword', 'password'],
  ['SMTP_PASS', 'password'],
  ['spring.datasource.password', 'password'],
  ['password2', 'password'],
  ['PGPASSWORD', 'password'],
  ['client-secret', 'password'],
  ['source_host_password', 'password'],
  ['apiKey', 'token'],
  ['secrets', 'token'],
  ['password_file', undefined],
  ['min_password', undefined],
  ['forgotPassword', undefined],
  ['tokenizer', undefined],
  ['secretName', undefined],
  ['public_key', undefined],
  ['GET /token', undefined],
  ['compass', undefined],
  ['constructor', undefined],
])('the name %j says %s', (name, kind) => {
  expect(secretKind(name)).toBe(kind);
});

test.each<[string, string]>([
  ['a password', 'password: hunter2\n'],
  ['a number', 'password: 12345678\n'],
  ['a passphrase', 'passphrase: correct horse battery staple\n'],
  ['a value below a plural', 'passwords:\n  db: hunter2\n'],
  ['an item of a list', 'passwords:\n  - hunter2\n'],
  [
    'a marked password that is not encrypted yet',
    'x: !encpwd-plain "hunter2"\npassword: !encpwd-plain "hunter2"\n',
  ],
  ['a second document', 'a: 1\n---\npassword: hunter2\n'],
  ['a comment', 'a: 1\n# password: hunter2\n'],
  ['a template that is no YAML', '{{- if .Values.x }}\npassword: hunter2\n{{- end }}\n'],
])('a password in plain text is found by its key: %s', async (_case, yaml) => {
  const results = await found(yaml);
  expect(results).toHaveLength(1);
  expect(results[0]![1]).toBe('key-name');
});

test.each([
  'password: !encpwd "eyJ"',
  'password: "!encpwd eyJ"',
  'password: ${DB_PASSWORD}',
  'password: "{{ .Values.password }}"',
  'password: /run/secrets/db',
  'password: ""',
  'password:',
  'password: true',
  'password: Enter your password',
  'password: "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"',
  'password: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJ]',
  'password: ********',
  'password: <password>',
  'token: bearer',
  'secrets: [database-url, postgres-password]',
  'sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'id: 123e4567-e89b-12d3-a456-426614174000',
  'class: com.example.collector.SyslogReceiverFactory2Impl',
  'url: https://git@git.example.com/x.git',
  'url: https://user:${PASSWORD}@git.example.com/x.git',
  '# the password is in the vault',
  '# password: see the vault',
])('%j is no password in plain text', async (yaml) => {
  expect(await found(`${yaml}\n`)).toEqual([]);
});

// Put together here, so that no scanner takes the test for a leak.
const random = 'q7Rz0PkXw3Ld9TnB5vHs2YcJ';
test.each([
  ['GitHub token', `x: gh${'p'}_${'aB3d'.repeat(9)}`],
  ['AWS access key', `# old: AKI${'A'}${'Q3ER7TYU2IOP5ASD'}`],
  ['GitLab token', `- glp${'at'}-${random.slice(0, 20)}`],
  ['password in a URL', 'url: postgres://ops:hunter2@db/x'],
  ['password in a connection string', 'dsn: "Server=db;User=sa;Password=hunter2"'],
  ['private key', `x: |\n  -----BEGIN RSA ${'PRIVATE'} KEY-----\n  MIIB`],
  ['private JWK', `x: '{"kty":"oct","k":"${random}"}'`],
  ['JWT', `x: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${random}`],
])('a %s is found by its form', async (name, yaml) => {
  expect((await found(`${yaml}\n`)).map(([, rule, form]) => [rule, form])).toEqual([['token', name]]);
});

test('a value that looks random is found under any key', async () => {
  expect(await found(`a: {b.c: [x, "${random}"]}\n`)).toEqual([[1, 'entropy', 'a.b\\.c.1']]);
});

test.each([
  ['json', '{"a": {"dbPassword": "hunter2", "port": 1}}', 'a.dbPassword'],
  ['ini', '[db]\npassword = hunter2\n', 'db.password'],
  ['other', 'export DB_PASSWORD=hunter2\n', 'DB_PASSWORD'],
  ['other', "const password = 'hunter2';\n", 'password'],
] as const)('%s: %j', async (format, text, name) => {
  expect((await found(text, format)).map(([, , own]) => own)).toEqual([name]);
});

test('names of the operator count as well', async () => {
  const isSecretKey = (name: string) => name === 'kennwort';
  const results = await findPlainPasswords('kennwort: {a: hunter2}\n', 'yaml', { isSecretKey });
  expect(results.map(({ name }) => name)).toEqual(['kennwort.a']);
});

test('nothing that is printed shows the value; its fingerprint is that of the value at its key', async () => {
  const [one, other, again] = await findPlainPasswords(
    'password: hunter2\nsecret: hunter2\n---\npassword: hunter2\n',
    'yaml',
  );
  expect(inspect(one, { depth: 9, showHidden: true }) + JSON.stringify(one) + one!.message).not.toContain(
    'hunter2',
  );
  const prints = await Promise.all([one, other, again].map((password) => password!.fingerprint()));
  expect(prints[0]).toMatch(/^[\w-]{16}$/);
  expect(prints[2]).toBe(prints[0]);
  expect(prints[1]).not.toBe(prints[0]);
});

test('a large text made to be slow is searched in a second', async () => {
  const hostile = [
    ' '.repeat(300_000),
    '"kty":'.repeat(50_000),
    'a: '.repeat(90_000),
    `a=${' '.repeat(200_000)}x`,
    '{{'.repeat(100_000),
    `# ${'a '.repeat(100_000)}`,
  ];
  for (const format of ['yaml', 'ini', 'json', undefined] as const) {
    for (const text of hostile) {
      const started = performance.now();
      await findPlainPasswords(text, format);
      expect(performance.now() - started).toBeLessThan(3_000);
    }
  }
});
