import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommitCheck, type VerifyOptions } from './commit-check.js';

const OID = 'a'.repeat(40);
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILRBPKu2ejbOyLOFxbs3BK26p3fqdtNSXaYEPgOFAdBf';

let folder: string;
let signers: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commit-check-'));
  signers = join(folder, 'signers');
  writeFileSync(signers, `alice@example.com ${KEY}\n`);
});
afterAll(async () => rm(folder, { recursive: true }));

/** Checks an object, without a commit that was loaded before. */
async function check(type: 'commit' | 'tag', text: string, options: Partial<VerifyOptions> = {}) {
  const objects = new Map([[OID, { type, data: Buffer.from(text) }]]);
  const verify = { format: 'ssh', signers, ...options } as const;
  const commitCheck = new CommitCheck(verify, 'http://host/a.git', undefined, undefined);
  return commitCheck.check({} as never, { oid: OID, revision: OID, objects, depth: 1 } as never);
}

const TREE = `tree ${OID}`;
const PEOPLE = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000';

test.each([
  ['commit', `${TREE}\n\nx`, 'it names no author'],
  ['commit', `${TREE}\n${PEOPLE}\ngpgsig a\ngpgsig b\n\nx`, 'it has several signatures'],
  ['tag', `object ${OID}\ntype commit\n\nx`, 'it does not say what it points to'],
] as const)('a malformed %s is refused, with its place and the remedy', async (type, text, reason) => {
  const message = `${type} ${OID} of http://host/a.git cannot be verified: ${reason}; create and sign it again with git`;
  await expect(check(type, text)).rejects.toThrow(
    expect.objectContaining({ name: 'UnverifiedSourceError', message }),
  );
  const { warnings } = await check(type, text, { onlyWarns: true });
  expect(warnings).toMatchObject([{ code: 'unverified', message: `${message}; a load refuses it` }]);
});

test.each([false, true])(
  'an unusable list of signers is a configuration error, also where signatures only cause warnings: %s',
  async (onlyWarns) => {
    const missing = join(folder, 'missing');
    await expect(check('commit', `${TREE}\n${PEOPLE}\n\nx`, { onlyWarns, signers: missing })).rejects.toThrow(
      expect.objectContaining({
        name: 'SourceConfigurationError',
        message: `cannot use the allowed signers in ${missing}: ENOENT; correct the file, or set source.allowed_signers to another`,
      }),
    );
  },
);
