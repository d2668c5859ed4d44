import { readFile, writeFile } from 'node:fs/promises';
import {
  GitRepository,
  type GitServer,
  type SigningKey,
  SigningKeys,
  startGitServer,
} from '@svc/test-servers';
import { GitSource } from '../src/index.js';

/** Keys that changed after they signed, as lists of keys contain them. */
let repository: GitRepository;
let server: GitServer;
let keys: SigningKeys;
const commits: Record<string, string> = {};
const lists: Record<string, readonly string[]> = {};

beforeAll(async () => {
  [repository, keys] = await Promise.all([GitRepository.create(), SigningKeys.create()]);
  await repository.commit({ 'a.yaml': 'a: 1\n' });
  await prolong();
  await revoke();
  await rename();
  await signed('brainpool', await keys.gpg('brainpool', 'brainpoolP256r1'));
  lists['brainpool'] = [await exported('brainpool')];
  await signed('future', await inFuture(await keys.gpg('future', 'ed25519')));
  lists['future'] = [await exported('future')];
  await repository.commit({});
  server = await startGitServer({ root: repository.root });
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
  await keys.remove();
});

async function prolong(): Promise<void> {
  const key = await keys.gpg('prolonged', 'ed25519', '60d', '20260101T000000');
  await signed('prolonged', key);
  const former = await exported('prolonged');
  const by = ['--faked-system-time', '20260201T000000', '--quick-set-expire', await fingerprint('prolonged')];
  await keys.runGpg(...by, '2100-01-01');
  const now = await exported('prolonged');
  Object.assign(lists, { expired: [former], prolonged: [now], 'expired and prolonged': [former, now] });
}

async function revoke(): Promise<void> {
  await signed('revoked', await keys.gpg('revoked', 'ed25519'));
  const former = await exported('revoked');
  const file = keys.path(`openpgp-revocs.d/${await fingerprint('revoked')}.rev`);
  // gpg puts a colon before it, so that it cannot be imported by accident.
  const certificate = (await readFile(file, 'utf8')).replace(/^:/m, '');
  await writeFile(file, certificate);
  await keys.runGpg('--import', file);
  const now = await exported('revoked');
  Object.assign(lists, { former: [former], revoked: [now], 'former and revoked': [former, now] });
  lists['former and certificate'] = [former, certificate.slice(certificate.indexOf('-----BEGIN'))];
}

async function rename(): Promise<void> {
  const key = await keys.gpg('renamed', 'ed25519', 'never', '20260101T000000');
  await signed('renamed', key);
  await keys.runGpg('--quick-add-uid', 'renamed@example.com', 'New <new@example.com>');
  await keys.runGpg('--quick-revoke-uid', 'new@example.com', 'renamed <renamed@example.com>');
  lists['renamed'] = [await exported('new')];
}

const exported = async (name: string) => keys.runGpg('--armor', '--export', `${name}@example.com`);

async function fingerprint(name: string): Promise<string> {
  const listed = await keys.runGpg('--with-colons', '--fingerprint', `${name}@example.com`);
  return /^fpr:+([0-9A-F]+):/m.exec(listed)![1]!;
}

/** As on a machine whose clock is ahead. */
async function inFuture(key: SigningKey): Promise<SigningKey> {
  const program = keys.path('gpg-in-future');
  const [, gpg = ''] = key.git;
  const script = `#!/bin/sh\nexec ${gpg.replace('gpg.program=', '')} --faked-system-time 20990101T000000 "$@"\n`;
  await writeFile(program, script, { mode: 0o700 });
  return { ...key, git: [...key.git, '-c', `gpg.program=${program}`] };
}

async function signed(name: string, by: SigningKey): Promise<void> {
  await repository.inWorkTree(...by.git, 'commit', '--quiet', '--allow-empty', '-S', '-m', name);
  commits[name] = (await repository.inWorkTree('rev-parse', 'HEAD')).trim();
}

/** @returns who signed, or why it is refused */
async function ours(ref: string, list: readonly string[]): Promise<string> {
  const signers = keys.path('signers.asc');
  await writeFile(signers, list.join('\n'));
  const verify = { format: 'gpg', signers } as const;
  const source = new GitSource({ address: `git://${server.address}/library.git`, ref, verify });
  return source
    .read(() => () => true)
    .then(
      ({ signature }) => `good: ${signature?.signed_by}`,
      (error: Error) => `${error.name}: ${error.message}`,
    );
}

async function gits(ref: string, list: readonly string[]): Promise<boolean> {
  const knowing = await keys.gpgThatKnows(...list);
  return repository.inWorkTree(...knowing, 'verify-commit', ref).then(
    () => true,
    () => false,
  );
}

test.each([
  ['prolonged', 'prolonged', true, /^good: prolonged <prolonged@example\.com>$/],
  ['prolonged', 'expired and prolonged', true, /^good: prolonged </],
  ['prolonged', 'expired', false, /^UnverifiedSourceError: .* is expired; have it signed again/],
  ['revoked', 'former', true, /^good: revoked </],
  ['revoked', 'revoked', false, /^UnverifiedSourceError: .* is revoked; have it signed again/],
  ['revoked', 'former and revoked', false, /^UnverifiedSourceError: .* is revoked; have it signed again/],
  ['revoked', 'former and certificate', false, /^UnverifiedSourceError: .* is revoked; have it signed again/],
  ['renamed', 'renamed', true, /^good: New <new@example\.com>$/],
  ['future', 'future', true, /^good: future </],
] as const)(
  'a commit by the key %s, listed as %s, is accepted as by git: %s',
  async (commit, list, isGood, verdict) => {
    expect(await gits(commits[commit]!, lists[list]!)).toBe(isGood);
    expect(await ours(commits[commit]!, lists[list]!)).toMatch(verdict);
  },
);

test('a key of a curve that is not supported is refused, naming the curve', async () => {
  expect(await ours(commits['brainpool']!, lists['brainpool']!)).toMatch(
    /^UnverifiedSourceError: .* has no valid signature by brainpool <\S+> \(\w+\): keys of the curve brainpoolP256r1 are not supported; have it signed again/,
  );
});
