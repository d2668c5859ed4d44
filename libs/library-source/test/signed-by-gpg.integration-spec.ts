import { writeFile } from 'node:fs/promises';
import {
  GitRepository,
  type GitServer,
  type SigningKey,
  SigningKeys,
  startGitServer,
} from '@svc/test-servers';
import { GitSource } from '../src/index.js';

const KINDS = ['ed25519', 'rsa2048', 'nistp256'] as const;
type Kind = (typeof KINDS)[number];

let repository: GitRepository;
let server: GitServer;
let keys: SigningKeys;
const key = {} as Record<Kind | 'stranger' | 'former', SigningKey>;
const commits = {} as Record<
  Kind | 'unsigned' | 'foreign' | 'tampered' | 'signed twice' | 'by a key that expired',
  string
>;
/** What git knows where only these keys are listed. */
let gpgOptions: readonly string[];
let signers: string;

beforeAll(async () => {
  [repository, keys] = await Promise.all([GitRepository.create(), SigningKeys.create()]);
  for (const kind of KINDS) key[kind] = await keys.gpg(kind, kind);
  key.stranger = await keys.gpg('stranger', 'ed25519');
  key.former = await keys.gpg('former', 'ed25519', '1d', '20250101T000000');
  await repository.commit({ 'a.yaml': 'a: 1\n' });
  for (const kind of KINDS) commits[kind] = await signed(key[kind], kind);
  commits.foreign = await signed(key.stranger, 'foreign');
  commits['by a key that expired'] = await signed(key.former, 'former');
  commits['signed twice'] = await signed(await alsoBy('rsa2048'), 'twice');
  commits.unsigned = (await repository.inWorkTree('commit-tree', 'HEAD^{tree}', '-m', 'x')).trim();
  const good = await repository.inWorkTree('cat-file', 'commit', commits.ed25519);
  await writeFile(keys.path('tampered'), good.replace('\ned25519\n', '\nother\n'));
  const hashing = ['hash-object', '-w', '-t', 'commit', keys.path('tampered')];
  commits.tampered = (await repository.inWorkTree(...hashing)).trim();
  await repository.inWorkTree(...key.ed25519.git, 'tag', '-s', 'v1', '-m', 'one', commits.unsigned);
  for (const [name, oid] of Object.entries(commits))
    await repository.inWorkTree('branch', '-f', `on-${name.replaceAll(' ', '-')}`, oid);
  await repository.commit({});
  server = await startGitServer({ root: repository.root });
  const listed = [...KINDS, 'former' as const].map((kind) => key[kind].publicKey);
  gpgOptions = await keys.gpgThatKnows(...listed);
  signers = keys.path('signers.asc');
  await writeFile(signers, `Our keys:\n${listed.join('\n')}`);
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
  await keys.remove();
});

async function signed(by: SigningKey, message: string): Promise<string> {
  await repository.inWorkTree(...by.git, 'commit', '--quiet', '--allow-empty', '-S', '-m', message);
  return (await repository.inWorkTree('rev-parse', 'HEAD')).trim();
}

/** Signs with the key of type ed25519, and with another one. */
async function alsoBy(other: Kind): Promise<SigningKey> {
  const program = keys.path('gpg-with-two-keys');
  const [, gpg = ''] = key.ed25519.git;
  const script = `#!/bin/sh\nexec ${gpg.replace('gpg.program=', '')} -u ${other}@example.com "$@"\n`;
  await writeFile(program, script, { mode: 0o700 });
  return { ...key.ed25519, git: [...key.ed25519.git, '-c', `gpg.program=${program}`] };
}

/** @returns who signed, or why it is refused */
async function ours(ref: string, file = signers): Promise<string> {
  const verify = { format: 'gpg', signers: file } as const;
  const source = new GitSource({ address: `git://${server.address}/library.git`, ref, verify });
  try {
    const { signature } = await source.read(() => () => true);
    expect(signature?.signing_key).toMatch(/^[0-9A-F]{40}$/);
    return `good: ${signature?.signed_by}`;
  } catch (error) {
    const isListed = file === signers;
    expect((error as Error).name).toBe(isListed ? 'UnverifiedSourceError' : 'SourceConfigurationError');
    return (error as Error).message;
  }
}

const gits = async (ref: string, command = 'verify-commit'): Promise<boolean> =>
  repository.inWorkTree(...gpgOptions, command, ref).then(
    () => true,
    () => false,
  );

test.each(KINDS)('a commit signed with an OpenPGP key of %s is read, as by git', async (kind) => {
  expect(await gits(commits[kind])).toBe(true);
  expect(await ours(commits[kind])).toBe(`good: ${kind} <${kind}@example.com>`);
});

test.each([
  ['unsigned', /is not signed; sign it \(git commit -S\) with a key that .*signers\.asc lists$/],
  ['foreign', /is signed by a key that \S+ does not list, [0-9a-f]{16}; add the key/],
  [
    'tampered',
    /has no valid signature by ed25519 <\S+> \([0-9A-F]{40}\): .*; have it signed again, unchanged/,
  ],
  ['signed twice', /has several signatures; sign it with one key$/],
  ['by a key that expired', /has no valid signature by former <\S+> .* expired; /i],
] as const)('a commit that is %s is refused, as by git', async (name, message) => {
  expect(await gits(commits[name])).toBe(false);
  expect(await ours(commits[name])).toMatch(message);
});

test('a signed tag vouches for its commit', async () => {
  expect(await gits('v1', 'verify-tag')).toBe(true);
  expect(await ours('v1')).toBe('good: ed25519 <ed25519@example.com>');
});

test.each([
  ['that does not exist', undefined, /^cannot use the allowed signers in .*: ENOENT; correct the file, or /],
  ['without keys', 'nothing\n', /: it has no armored public keys \(gpg --armor --export\); correct/],
  [
    'with a damaged key',
    '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n',
    /: a block is neither a public key nor a revocation certificate of a listed key: /,
  ],
])('a list of keys %s is a configuration error', async (_case, text, message) => {
  const file = keys.path(text === undefined ? 'missing' : 'odd.asc');
  if (text !== undefined) await writeFile(file, text);
  expect(await ours(commits.ed25519, file)).toMatch(message);
});

test('a signature in the other format is refused, naming both', async () => {
  const verify = { format: 'ssh', signers: keys.path('ssh') } as const;
  await writeFile(verify.signers, `a@example.com ${(await keys.ssh('a', '-t', 'ed25519')).publicKey}\n`);
  const source = new GitSource({
    address: `git://${server.address}/library.git`,
    ref: commits.ed25519,
    verify,
  });
  await expect(source.read(() => () => true)).rejects.toThrow(
    /has an OpenPGP signature, and source\.verify is ssh; sign it with an SSH key that/,
  );
});
