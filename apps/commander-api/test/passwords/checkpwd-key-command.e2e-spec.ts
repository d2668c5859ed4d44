import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';

let folder: PasswordFolder;
let svccmd: PasswordFolder['svccmd'];

const marker = () => join(folder.path, 'ran');
const command = () => `sh -c "touch '${marker()}'; cat '${folder.path}/password.key'"`;

beforeEach(async () => {
  folder = await makePasswordFolder();
  ({ svccmd } = folder);
  mkdirSync(join(folder.path, 'library'));
  const encrypted = (await svccmd(['encpwd', '--yaml'], 'hunter2')).stdout.trim();
  folder.write('library/a.yaml', `password: ${encrypted}\n`);
  folder.write('svccmd.conf', `[pwdencryptor]\nkey_command = ${command()}\n`);
});
afterEach(() => rmSync(folder.path, { recursive: true }));

test('a configuration that nobody named does not run it, and what was not decrypted is reported', async () => {
  const { code, stdout, stderr } = await svccmd(['checkpwd', 'library']);
  expect([code, stdout]).toEqual([0, '1 file checked, no problems\n']);
  const reason =
    'encrypted passwords in 1 file were not decrypted: pwdencryptor.key_command (svccmd.conf:2) is run only if you name the file; pass -c svccmd.conf if you trust this folder\n';
  expect(stderr).toBe(`warning: ${reason}`);
  expect(await svccmd(['checkpwd', '--strict', 'library'])).toMatchObject({
    code: 1,
    stderr: `svccmd: ${reason}`,
  });
  folder.write('library/a.yaml', 'user: x\n');
  // Not a document: its passwords are never decrypted.
  folder.write('library/README.md', 'Encrypted passwords look like `!encpwd "eyJ"`.\n');
  expect(await svccmd(['checkpwd', '--strict', 'library'])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(marker())).toBe(false);
});

test.each(['-c', 'the environment'])('%s names it, so it runs', async (how) => {
  const env = how === '-c' ? {} : { SVCCMD_PWDENCRYPTOR_KEY_COMMAND: command() };
  const args = how === '-c' ? ['-c', 'svccmd.conf', 'checkpwd'] : ['checkpwd'];
  expect(await svccmd([...args, '--strict', 'library'], '', env)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(marker())).toBe(true);
});
