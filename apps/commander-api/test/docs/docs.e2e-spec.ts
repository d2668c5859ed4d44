import { spawnSync } from 'node:child_process';
import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KeyPair, PasswordKey } from '@svc/password-format';
import { startServer } from '../http/running-server.js';
import { runInProcess } from '../shell/run-in-process.js';
import { expectSuccess } from '../shell/type-line.js';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** The contents of a document's fenced blocks of one language. */
const blocks = (document: string, language: string): string[] =>
  [...read(`docs/${document}`).matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, text]) =>
    found === language ? [text!] : [],
  );

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-docs-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each(['svccmd.md', 'encpwd.md', 'checkpwd.md', 'configuration.md'])(
  'every command of docs/%s works, in its order',
  async (document) => {
    const commands =
      blocks(document, 'console')
        .join('')
        .match(/(?<=^\$ ).*$/gm) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    // What is exported lasts as long as the shell.
    const keepsShell = commands.some((command) => command.startsWith('export '));
    const stderr = await expectSuccess(keepsShell ? [commands.join('\n')] : commands, { cwd: folder });
    expect(stderr).toBe('');
  },
);

test.each(['svccmd.md', 'encpwd.md'])(
  'every curl command of docs/%s works against the server',
  async (document) => {
    await runInProcess(['keygen', 'password.key'], { cwd: folder });
    mkdirSync(join(folder, 'source'));
    writeFileSync(join(folder, 'password.txt'), 'hunter2');
    writeFileSync(
      join(folder, 'svccmd.conf'),
      `[pwdencryptor]\nkey=password.key\n[source]\npath=${ROOT.pathname}tools/sample/library\n[destination]\nurls=file://${folder}/stored\n`,
    );
    const server = await startServer(folder);
    const commands = blocks(document, 'sh')
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith('curl '));
    expect(commands.length).toBeGreaterThan(0);
    const script = commands
      .join('\n')
      .replaceAll('curl ', 'curl -sS --fail-with-body ')
      .replaceAll('http://127.0.0.1:8080', server.url);
    const { status, stderr } = spawnSync('bash', ['--norc', '-c', `set -e\n${script}`], {
      cwd: folder,
      encoding: 'utf8',
    });
    await server.stop();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

test.each([
  ['ini', 'conf'],
  ['yaml', 'yaml'],
])('the %s example of docs/configuration.md is a right configuration', async (language, extension) => {
  const [text] = blocks('configuration.md', language);
  writeFileSync(join(folder, `svccmd.${extension}`), text!);
  const { code, stdout } = await runInProcess(['-c', `svccmd.${extension}`, 'config'], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^source\.path +git:\/\/\*{8}@git\.example\.com\/library\.git /m);
});

interface Vector {
  readonly name: string;
  readonly key_hex: string;
  readonly password: string;
  readonly encrypted: string;
}
const VALID = JSON.parse(read('libs/password-format/test-vectors/valid.json')) as Vector[];
interface SealedVector extends Omit<Vector, 'key_hex'> {
  readonly private_jwk: object;
  readonly kid: string;
  readonly for?: string;
}
const SEALED = JSON.parse(read('libs/password-format/test-vectors/sealed.json')) as SealedVector[];
interface RefusedVector {
  readonly name: string;
  readonly key_hex?: string;
  readonly private_jwk?: JsonWebKey;
  readonly for?: string;
  readonly encrypted: string;
}
/** With the place that each is bound to where the caller passes none, so that none is rejected for its place alone. */
const REFUSED = ['refused', 'refused-sealed']
  .flatMap((name) => JSON.parse(read(`libs/password-format/test-vectors/${name}.json`)) as RefusedVector[])
  .map((vector) => ({ ...vector, for: vector.for ?? protectedPlace(vector.encrypted) }));

const kidOf = (jwk: JsonWebKey) => new KeyPair(createPrivateKey({ key: jwk, format: 'jwk' })).kid;

function protectedPlace(encrypted: string): string | undefined {
  const [, part = ''] = /^(?:\{.*"protected": ?")?([\w-]+)/.exec(encrypted) ?? [];
  const [, place] = /"for":"([^"]+)"/.exec(Buffer.from(part, 'base64url').toString()) ?? [];
  return place;
}

test('the vector that docs/encpwd-format.md shows is the first of the file', () => {
  const { key_hex, password, encrypted } = VALID[0]!;
  for (const text of [key_hex, password, encrypted])
    expect(read('docs/encpwd-format.md')).toContain(`\`${text}\``);
});

test('the JavaScript of docs/encpwd-format.md decrypts the vectors', async () => {
  // Within the checkout, so that it finds the package.
  const file = new URL(`apps/commander-api/test/docs/.example-${process.pid}.mjs`, ROOT);
  // It takes a key without an id, so it tries that key whatever the id.
  const refused = REFUSED.filter(
    ({ name }) => !/^(a kid that is a number|the kid of another key)$/.test(name),
  );
  const checks = `
    const { createPrivateKey } = await import('node:crypto');
    for (const { encrypted, key_hex, password } of ${JSON.stringify(VALID)}) {
      if ((await decrypt(encrypted, Buffer.from(key_hex, 'hex'))) !== password) process.exit(1);
    }
    for (const { encrypted, private_jwk, password, for: place } of ${JSON.stringify(SEALED)}) {
      const key = createPrivateKey({ key: private_jwk, format: 'jwk' });
      if ((await decrypt(encrypted, key, place)) !== password) process.exit(1);
      await decrypt(encrypted, key, 'elsewhere').then(() => process.exit(1), () => 0);
      if (place) await decrypt(encrypted, key).then(() => process.exit(1), () => 0);
    }
    for (const { name, encrypted, key_hex, private_jwk, for: place } of ${JSON.stringify(refused)}) {
      const key = key_hex ? Buffer.from(key_hex, 'hex') : createPrivateKey({ key: private_jwk, format: 'jwk' });
      await decrypt(encrypted, key, place).then(() => console.error('not rejected: ' + name), () => 0);
    }`;
  writeFileSync(file, blocks('encpwd-format.md', 'js')[0]! + checks);
  try {
    expect(
      spawnSync(process.execPath, [pathToFileURL(file.pathname).pathname], { encoding: 'utf8' }),
    ).toMatchObject({ status: 0, stderr: '' });
  } finally {
    rmSync(file);
  }
});

// Debian's own interpreter: the one that python3-cryptography is installed for.
const PYTHON = '/usr/bin/python3';

test('the Python of docs/encpwd-format.md decrypts the vectors, in under 40 lines', () => {
  const [reader = ''] = blocks('encpwd-format.md', 'python');
  expect(reader.split('\n').length).toBeLessThan(41);
  // All vectors in one process: the reader's own arguments, once for each.
  const script = `
import json, sys
source = compile(sys.argv[1], "reader.py", "exec")
for encrypted, key, place in json.load(sys.stdin):
    open("key.jwk", "w").write(json.dumps(key))
    sys.argv = ["reader.py", encrypted, "key.jwk", *place]
    try:
        exec(source, {})
    except Exception as error:
        print(type(error).__name__)
`;
  const symmetricKey = (hex: string) => {
    const key = Buffer.from(hex, 'hex');
    return { kty: 'oct', k: key.toString('base64url'), kid: new PasswordKey(key).kid };
  };
  const symmetric = ({ encrypted, key_hex }: Vector) => [encrypted, symmetricKey(key_hex), []] as const;
  const sealed = (place: (own: string | undefined) => readonly string[]) =>
    SEALED.map(
      ({ encrypted, private_jwk, kid, for: own }) =>
        [encrypted, { ...private_jwk, kid }, place(own)] as const,
    );
  const input = JSON.stringify([
    ...VALID.map(symmetric),
    ...sealed((own) => (own === undefined ? [] : [own])),
    ...sealed(() => ['elsewhere']),
    ...REFUSED.map(({ encrypted, key_hex, private_jwk, for: place }) => [
      encrypted,
      private_jwk ? { ...private_jwk, kid: kidOf(private_jwk) } : symmetricKey(key_hex!),
      place === undefined ? [] : [place],
    ]),
  ]);
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', script, reader], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { ...process.env, PYTHONUTF8: '1' },
  });
  const passwords = [
    ...VALID.map(({ password }) => password),
    ...SEALED.map(({ password }) => password),
    ...SEALED.map(() => 'ValueError'),
  ];
  const expected = passwords.map((line) => `${line}\n`).join('');
  expect({ stdout: stdout.slice(0, expected.length), stderr }).toEqual({ stdout: expected, stderr: '' });
  const lines = stdout.slice(expected.length).trimEnd().split('\n');
  const accepted = REFUSED.flatMap(({ name }, index) =>
    /^(\w*Error|Invalid\w+|StopIteration)$/.test(lines[index] ?? '') ? [] : [name],
  );
  expect(accepted).toEqual([]);
  expect(lines).toHaveLength(REFUSED.length);
});
