import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  GitRepository,
  type GitServer,
  type SigningKey,
  SigningKeys,
  startGitServer,
} from '@svc/test-servers';
import { GitSource } from '../src/index.js';
import { readSshKey } from '../src/signatures/ssh-key.js';
import { readSshSignature } from '../src/signatures/ssh-signature.js';
import { sshString } from '../src/signatures/ssh-reader.js';

const run = promisify(execFile);

const KINDS = {
  ed25519: ['-t', 'ed25519'],
  nistp256: ['-t', 'ecdsa', '-b', '256'],
  nistp384: ['-t', 'ecdsa', '-b', '384'],
  nistp521: ['-t', 'ecdsa', '-b', '521'],
  rsa: ['-t', 'rsa', '-b', '2048'],
};
type Kind = keyof typeof KINDS;

/** The time of all commits. */
const SIGNED_AT = '2026-01-01T00:00:00.000Z';

let repository: GitRepository;
let server: GitServer;
let keys: SigningKeys;
const key = {} as Record<Kind | 'stranger', SigningKey>;
/** Of the commits that the cases are about. */
const commits = {} as Record<Kind | 'unsigned' | 'foreign' | 'tampered' | 'for a file', string>;

beforeAll(async () => {
  [repository, keys] = await Promise.all([GitRepository.create(), SigningKeys.create()]);
  for (const [kind, options] of Object.entries(KINDS)) key[kind as Kind] = await keys.ssh(kind, ...options);
  key.stranger = await keys.ssh('stranger');
  await repository.commit({ 'a.yaml': 'a: 1\n' });
  for (const kind of Object.keys(KINDS) as Kind[]) commits[kind] = await signed(key[kind], kind);
  commits.foreign = await signed(key.stranger, 'foreign');
  commits.unsigned = (await repository.inWorkTree('commit-tree', 'HEAD^{tree}', '-m', 'x')).trim();
  const good = await repository.inWorkTree('cat-file', 'commit', commits.ed25519);
  commits.tampered = await object('commit', good.replace('\ned25519\n', '\nother\n'));
  commits['for a file'] = await object('commit', await signedFor('file', good));
  await repository.inWorkTree(...key.ed25519.git, 'tag', '-s', 'v1', '-m', 'one', commits.unsigned);
  await repository.inWorkTree(...key.stranger.git, 'tag', '-s', 'foreign-tag', '-m', 'two', commits.ed25519);
  await repository.inWorkTree('tag', '-a', 'plain-tag', '-m', 'three', commits.ed25519);
  await repository.inWorkTree('tag', '-a', 'vain-tag', '-m', 'four', commits.unsigned);
  const tag = (await repository.inWorkTree('rev-parse', 'v1')).trim();
  await repository.inWorkTree('update-ref', 'refs/tags/renamed', tag);
  for (const [name, oid] of Object.entries(commits))
    await repository.inWorkTree('branch', '-f', `on-${name.replaceAll(' ', '-')}`, oid);
  await repository.commit({});
  server = await startGitServer({ root: repository.root });
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
  await keys.remove();
});

async function signed(by: SigningKey, message: string): Promise<string> {
  const line = ['commit', '--quiet', '--allow-empty', '-S', '-m', message];
  await repository.inWorkTree(...by.git, ...line);
  return (await repository.inWorkTree('rev-parse', 'HEAD')).trim();
}

async function object(type: string, content: string): Promise<string> {
  const file = keys.path('object');
  await writeFile(file, content);
  return (await repository.inWorkTree('hash-object', '-w', '--literally', '-t', type, file)).trim();
}

/** The commit, signed as ssh-keygen signs files of another kind. */
async function signedFor(namespace: string, commit: string): Promise<string> {
  const payload = commit.replace(/gpgsig .*\n(?: .*\n)+/, '');
  const signature = await sshSign(payload, '-f', keys.path('ed25519'), '-n', namespace);
  return payload.replace('\n\n', `\ngpgsig ${signature.trimEnd().replaceAll('\n', '\n ')}\n\n`);
}

async function sshSign(payload: string, ...options: string[]): Promise<string> {
  const file = keys.path('payload');
  await writeFile(file, payload);
  await run('ssh-keygen', ['-Y', 'sign', '-q', ...options, file]);
  const signature = await readFile(`${file}.sig`, 'utf8');
  await run('rm', [`${file}.sig`]);
  return signature;
}

async function signersFile(...lines: string[]): Promise<string> {
  const file = keys.path('allowed_signers');
  await writeFile(file, lines.join('\n'));
  return file;
}

/** @returns who signed, or why it is refused */
async function ours(ref: string, signers: string): Promise<string> {
  const verify = { format: 'ssh', signers } as const;
  const source = new GitSource({ address: `git://${server.address}/library.git`, ref, verify });
  try {
    const { signature } = await source.read(() => () => true);
    expect(signature?.signed_at).toBe(SIGNED_AT);
    return `good: ${signature?.signed_by}`;
  } catch (error) {
    expect((error as Error).name).toBe('UnverifiedSourceError');
    return (error as Error).message;
  }
}

/** Whether git accepts it. */
async function gits(ref: string, signers: string, command = 'verify-commit'): Promise<boolean> {
  const options = ['-c', `gpg.ssh.allowedSignersFile=${signers}`];
  return repository.inWorkTree(...options, command, ref).then(
    () => true,
    () => false,
  );
}

const listed = (kind: Kind, options = '') => `${kind}@example.com ${options} ${key[kind].publicKey}`;

test.each(Object.keys(KINDS) as Kind[])(
  'a commit signed with a key of %s is read, as by git',
  async (kind) => {
    const file = await signersFile('# comment', '', listed(kind));
    expect(await gits(commits[kind], file)).toBe(true);
    expect(await ours(commits[kind], file)).toBe(`good: ${kind}@example.com`);
    const other = await signersFile(`stranger@example.com ${key.stranger.publicKey}`);
    expect(await gits(commits[kind], other)).toBe(false);
    expect(await ours(commits[kind], other)).toMatch(/is signed by a key that .* does not list, SHA256:/);
  },
);

test.each([
  ['unsigned', /^commit [0-9a-f]{40} of http:.*\/library\.git is not signed; sign it \(git commit -S\)/],
  ['foreign', /is signed by a key that \S+ does not list, SHA256:\S+; add the key/],
  ['tampered', /does not match its signature by SHA256:\S+: it was changed after it was signed/],
  ['for a file', /has a signature for "file", not for "git"; sign it with git/],
] as const)('a commit that is %s is refused, as by git', async (name, message) => {
  const file = await signersFile(listed('ed25519'));
  expect(await gits(commits[name], file)).toBe(false);
  expect(await ours(commits[name], file)).toMatch(message);
});

test.each([
  ['namespaces="git"', true],
  ['namespaces="file,g*"', true],
  ['NAMESPACES="git",valid-after="20250101",valid-before="20260102Z"', true],
  ['valid-after="20260101000000Z"', true],
  ['valid-before="202601010000Z"', true],
  ['namespaces="file"', false],
  ['namespaces="*,!git"', false],
  ['valid-before="20251231235959Z"', false],
  ['valid-after="20260101000001Z"', false],
])('a key with %s may sign: %s, as by git', async (options, isValid) => {
  const file = await signersFile(listed('ed25519', options));
  expect(await gits(commits.ed25519, file)).toBe(isValid);
  const verdict = await ours(commits.ed25519, file);
  expect(verdict).toMatch(isValid ? /^good/ : /^commit .* is signed by ed25519@example.com .*, line 1\)/);
});

test('a key that expired is valid again with a second line', async () => {
  const file = await signersFile(listed('ed25519', 'valid-before="20250101"'), listed('ed25519'));
  expect(await gits(commits.ed25519, file)).toBe(true);
  expect(await ours(commits.ed25519, file)).toBe('good: ed25519@example.com');
});

test.each([
  ['v1', true, 'good: ed25519@example.com'],
  ['foreign-tag', false, /^tag foreign-tag of .* is signed by a key that/],
  ['plain-tag', false, 'good: ed25519@example.com'],
  ['vain-tag', false, /^commit .* is not signed/],
  ['renamed', true, /^tag v1 of .* was requested as "renamed"/],
])(
  'of the annotated tag %s, its own signature counts, else that of its commit',
  async (tag, isGits, verdict) => {
    const file = await signersFile(listed('ed25519'));
    expect(await gits(tag, file, 'verify-tag')).toBe(isGits);
    expect(await ours(tag, file)).toMatch(verdict);
  },
);

/** A key that only software pretends to keep in hardware; @see OpenSSH's PROTOCOL.u2f */
function securityKey(kind: 'sk-ssh-ed25519@openssh.com' | 'sk-ecdsa-sha2-nistp256@openssh.com') {
  const application = 'ssh:';
  const isEd25519 = kind.startsWith('sk-ssh');
  const { publicKey, privateKey } = isEd25519
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const fields = isEd25519 ? [bytes(x)] : ['nistp256', Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)])];
  const blob = Buffer.concat([kind, ...fields, application].map(sshString));
  const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
  const made = (data: Uint8Array): Buffer => {
    const flagsAndCounter = Buffer.from([1, 0, 0, 0, 7]);
    const text = Buffer.concat([hash(application), flagsAndCounter, hash(data)]);
    return Buffer.concat([
      sshString(kind),
      sshString(rawSignature(privateKey, text, isEd25519)),
      flagsAndCounter,
    ]);
  };
  return { blob, made };
}

function rawSignature(privateKey: KeyObject, text: Uint8Array, isEd25519: boolean): Buffer {
  if (isEd25519) return sign(null, text, privateKey);
  const both = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const numbers = [both.subarray(0, 32), both.subarray(32)];
  return Buffer.concat(numbers.map((number) => sshString(Buffer.concat([Buffer.alloc(1), number]))));
}

test.each(['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'] as const)(
  'a signature of a security key (%s) is accepted, as by ssh-keygen',
  async (kind) => {
    const { blob, made } = securityKey(kind);
    const digest = createHash('sha512').update('hello').digest();
    const toSign = Buffer.concat([Buffer.from('SSHSIG'), ...['git', '', 'sha512', digest].map(sshString)]);
    const parts = [blob, 'git', '', 'sha512', made(toSign)].map(sshString);
    const whole = Buffer.concat([Buffer.from('SSHSIG\0\0\0\u0001', 'latin1'), ...parts]).toString('base64');
    const armored = `-----BEGIN SSH SIGNATURE-----\n${whole.match(/.{1,70}/g)!.join('\n')}\n-----END SSH SIGNATURE-----\n`;
    await writeFile(keys.path('hello'), 'hello');
    await writeFile(keys.path('hello.sig'), armored);
    const file = await signersFile(`me@example.com ${kind} ${blob.toString('base64')}`);
    const judging = ['-f', file, '-I', 'me@example.com', '-n', 'git', '-s', keys.path('hello.sig')];
    await run('sh', ['-c', `ssh-keygen -Y verify ${judging.join(' ')} < ${keys.path('hello')}`]);
    const signature = readSshSignature(armored);
    expect(signature.key.fingerprint).toBe(readSshKey(blob).fingerprint);
    expect([signature.isOf(Buffer.from('hello')), signature.isOf(Buffer.from('hallo'))]).toEqual([
      true,
      false,
    ]);
  },
);
