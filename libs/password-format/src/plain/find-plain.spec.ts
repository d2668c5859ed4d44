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
  ['pw', 'password'],
  ['db_pw', 'password'],
  ['wpa_psk', 'password'],
  ['bindpw', 'password'],
  ['keypass', 'password'],
  ['secretkey', 'token'],
  ['secrets', 'token'],
  ['password_file', undefined],
  ['min_password', undefined],
  ['forgotPassword', undefined],
  ['tokenizer', undefined],
  ['secretName', undefined],
  ['public_key', undefined],
  ['GET /token', undefined],
  ['compass', undefined],
  ['proxy_pass', undefined],
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
  'password: $DB_PASSWORD',
  'password: "${DB_PASSWORD:?must be set}"',
  'password: "${file:/run/db}"',
  'password: ~/.config/Db2/password',
  'password: ./conf.d/K8s/Db1.txt',
  'args: [--user=ops, --password-file=/x]',
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

test.each<[string, DocumentFormat | 'other', string]>([
  ['a placeholder', 'yaml', 'x: !encpwd-plain "${PASSWORD}"\n'],
  ['a label', 'yaml', 'password: !encpwd-plain Password\n'],
  ['a comment', 'yaml', 'a: 1\n# db: !encpwd-plain hunter2\n'],
  ['a template of YAML', 'yaml', '{{ if }}\nx: !encpwd-plain "hunter2"\n'],
  ['JSON', 'json', '{"x": "!encpwd-plain y"}'],
  ['INI', 'ini', '[a]\nx = !encpwd-plain y\n'],
  ['properties', 'properties', 'a.x: !encpwd-plain y\n'],
  ['other text', 'other', 'x: !encpwd-plain "hunter2"\n'],
])('what is marked and not encrypted is found, whatever it is: %s', async (_case, format, text) => {
  expect((await found(text, format)).map(([, rule]) => rule)).toEqual(['marked']);
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
  ['ini', '[db]\npassword: hunter2\n', 'db.password'],
  ['ini', "[db]\npassword = 'hunter2' ; of the database\n", 'db.password'],
  ['ini', '[Service]\nEnvironment="DB_PASSWORD=hunter2"\n', 'Service.Environment.DB_PASSWORD'],
  ['properties', 'spring.datasource.password: hunter2\n', 'spring\\.datasource\\.password'],
  ['properties', 'spring.datasource.password hunter2\n', 'spring\\.datasource\\.password'],
  ['properties', 'spring.datasource.password=${DB_PASSWORD:hunter2}\n', 'spring\\.datasource\\.password'],
  ['json', '[{"name": "DB_PASSWORD", "value": "hunter2"}]', '0.DB_PASSWORD'],
  ['json', '{"ParameterKey": "DbPassword", "ParameterValue": "hunter2"}', 'DbPassword'],
  ['json', '{"command": ["x", "--password", "hunter2"]}', 'command.password'],
  ['yaml', 'env:\n  - name: DB_PASSWORD\n    value: hunter2\n', 'env.0.DB_PASSWORD'],
  ['yaml', 'env:\n  - value: hunter2\n    name: DB_PASSWORD\n', 'env.0.DB_PASSWORD'],
  ['yaml', 'environment:\n  - DB_PASSWORD=hunter2\n', 'environment.0.DB_PASSWORD'],
  ['yaml', 'args: ["--db-password=hunter2"]\n', 'args.0.db-password'],
  ['yaml', 'command: mysqld --password hunter2 --x\n', 'command.password'],
  ['yaml', 'password: $ecretWord1\n', 'password'],
  ['yaml', 'password: ${DB_PASSWORD:-hunter2}\n', 'password'],
  ['yaml', `password: "{{ db_password | default('hunter2') }}"\n`, 'password'],
  ['yaml', 'x: 1 # password: hunter2\n', 'password'],
  ['other', 'export DB_PASSWORD=hunter2\n', 'DB_PASSWORD'],
  ['other', 'export db_password=hunter2\n', 'db_password'],
  ['other', 'ENV DB_PASSWORD hunter2\n', 'DB_PASSWORD'],
  ['other', 'Environment=DB_PASSWORD=hunter2\n', 'DB_PASSWORD'],
  ['other', 'PGPASSWORD=hunter2 psql -h db\n', 'PGPASSWORD'],
  ['other', 'mysql --password=hunter2 x\n', 'password'],
  ['other', 'requirepass hunter2\n', 'requirepass'],
  ['other', '<db><password>hunter2</password></db>', 'password'],
  ['other', '<property name="db.password" value="hunter2"/>', 'db\\.password'],
  ['other', '<property name="db.password">hunter2</property>', 'db\\.password'],
  ['other', '<Resource password="hunter2" url="x"/>', 'password'],
  ['other', "const password = 'hunter2';\n", 'password'],
] as const)('%s: %j', async (format, text, name) => {
  expect((await found(text, format)).map(([, , own]) => own)).toEqual([name]);
});

test('a file in a value is searched, and its lines are those of the document', async () => {
  const yaml =
    'data:\n  application.properties: |\n    a=1\n    spring.datasource.password=hunter2\n  x: 1\n';
  expect((await found(yaml)).map(([line]) => line)).toEqual([4]);
  const json = JSON.stringify({ data: { 'a.properties': 'a=1\npassword=hunter2\n' } });
  expect((await found(json, 'json')).map(([line]) => line)).toEqual([1]);
});

test('an alias is reported where its key tells of a password', async () => {
  expect(await found('a: &p hunter2\nb: {password: *p}\nc: [&p harmless]\npassword: *p\n')).toEqual([
    [2, 'key-name', 'b.password'],
    [4, 'key-name', 'password'],
  ]);
  expect(await found('password: &p !encpwd "eyJ"\nother_password: *p\nd: &m {x: 1}\ntoken: *m\n')).toEqual(
    [],
  );
});

test('an item of a list is what its own key says, though another is beside it', async () => {
  expect(await found('env: [{name: LOG_LEVEL, value: debug}, {name: TOKEN_FILE, value: x}]\n')).toEqual([]);
  expect(await found('args: ["--password-file", "hunter2", "--verbose", "hunter2"]\n')).toEqual([]);
});

test.each(['ini', 'json', 'yaml'] as const)(
  'in %s of half a megabyte, each password is found',
  async (format) => {
    const many = Array.from({ length: 20_000 }, (_, index) => `key${index}`);
    const text = {
      ini: many.map((key) => `${key} = some value\n`).join('') + 'password = hunter2\n',
      json: JSON.stringify({
        ...Object.fromEntries(many.map((key) => [key, 'some value'])),
        password: 'hunter2',
      }),
      yaml:
        many.map((key) => `${key}: some value\n`).join('') + 'e:\n- name: DB_PASSWORD\n  value: hunter2\n',
    }[format];
    expect(text.length).toBeGreaterThan(400_000);
    expect((await found(text, format)).map(([, rule]) => rule)).toEqual(['key-name']);
  },
);

test.each(['/Qz7Rk0PXw3Ld9TnB5vHs2Yc', '/Qz7Rk0PXw3Ld9TnB5vHs2YcJ+4/Ww=='])(
  'base64 that begins with a slash is no path: %s',
  async (value) => {
    expect((await found(`password: ${value}\nblob: ${value}\n`)).map(([, rule]) => rule)).toEqual([
      'key-name',
      'entropy',
    ]);
  },
);

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
    '${A:'.repeat(60_000),
    '<a '.repeat(90_000),
    '<a>'.repeat(90_000),
    'name="a" '.repeat(30_000),
    '--a '.repeat(70_000),
    'curl -u '.repeat(40_000),
    'a=b='.repeat(70_000),
    `a=${'A='.repeat(120_000)}`,
    'a="'.repeat(90_000),
    ` ${'\\\n '.repeat(90_000)}`,
    `a = "${'\\'.repeat(200_000)}`,
    'a = x\\\n'.repeat(40_000),
    `x ${'# a: '.repeat(60_000)}`,
    `# ${'a '.repeat(100_000)}`,
  ];
  for (const format of ['yaml', 'ini', 'json', undefined] as const) {
    for (const text of hostile) {
      const started = process.cpuUsage();
      await findPlainPasswords(text, format);
      expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
    }
  }
});

test.each<[string, string, DocumentFormat | 'other']>([
  ['a constant of PHP', `define( 'DB_PASSWORD', 'hunter2' );`, 'other'],
  ['an entry of an array of PHP', `'password' => 'hunter2',`, 'other'],
  ['the default of a variable', `'password' => env('DB_PASSWORD', 'hunter2'),`, 'other'],
  ['an entry that is assigned', `$config['db']['password'] = "hunter2";`, 'other'],
  ['an environment that is changed', `os.environ["DB_PASSWORD"] = 'hunter2'`, 'other'],
  ['a property that is set', 'properties.setProperty("db.password", "hunter2");', 'other'],
  ['options with commas', '//host/share /mnt cifs username=app,password=hunter2 0 0', 'other'],
  ['a map of HOCON on one line', 'db { user = app, password = "hunter2" }', 'ini'],
  ['a line of Postfix', '[smtp.example.com]:587 app:hunter2', 'other'],
  ['a line of Postfix for a sender', 'app@example.com app@example.net:hunter2', 'other'],
  ['a setting of Postfix', 'smtp_sasl_password_maps = static:app:hunter2', 'ini'],
  ['a line of .netrc', 'machine example.com login app password hunter2', 'other'],
])('a password is found in %s', async (_case, text, format) => {
  expect(await found(`${text}\n`, format)).toHaveLength(1);
});

test.each<[string, string, DocumentFormat | 'other']>([
  ['labels', `t('password', 'Password'); form.get("password", "Enter your password")`, 'other'],
  ['a variable without a default', `'password' => env('DB_PASSWORD'),`, 'other'],
  ['a variable as the default', `getenv("DB_PASSWORD", "\${PASSWORD}")`, 'other'],
  ['servers and ports', '[a.example.com]:80 b.example.com:8080\na.example.com app@b.example.com:22', 'other'],
  ['repositories', 'mirror.git git@example.com:app.git\nhost.example.com git@example.com:team/app', 'other'],
  ['a reference in HOCON', 'db { password = ${?DB_PASSWORD} }', 'ini'],
])('no password is found in %s', async (_case, text, format) => {
  expect(await found(`${text}\n`, format)).toEqual([]);
});
