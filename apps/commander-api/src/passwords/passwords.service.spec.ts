import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyPair, toJwkText } from '@svc/password-format';
import { PasswordsService } from './passwords.service.js';

type Settings = ConstructorParameters<typeof PasswordsService>[0]['pwdencryptor'];

const HEX = '0f1e2d3c'.repeat(8);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'passwords-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function serviceWith(pwdencryptor: Settings): PasswordsService {
  const logger = { warn: () => undefined };
  return new PasswordsService(
    { pwdencryptor } as unknown as ConstructorParameters<typeof PasswordsService>[0],
    logger as unknown as ConstructorParameters<typeof PasswordsService>[1],
  );
}

test('a key command that failed runs again a second later, and one that succeeded does not', async () => {
  const key = join(folder, 'key');
  const runs = join(folder, 'runs');
  const service = serviceWith({ key_command: `sh -c 'echo >> ${runs}; cat ${key}'` });
  const encrypt = () => service.encrypt(Buffer.from('hunter2'), {});
  const failed = await Promise.allSettled([encrypt(), encrypt(), encrypt()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(readFileSync(runs, 'utf8')).toBe('\n');
  writeFileSync(key, HEX);
  await sleep(1_100);
  await encrypt();
  await encrypt();
  expect(readFileSync(runs, 'utf8')).toBe('\n\n');
});

test('a key command ends with the server', async () => {
  const file = join(folder, 'pid');
  const service = serviceWith({ key_command: `sh -c 'echo $$ > ${file}; sleep 60'` });
  const encrypted = expect(service.encrypt(Buffer.from('x'), {})).rejects.toThrow();
  while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await sleep(20);
  service.onModuleDestroy();
  await encrypted;
});

test('a name that two files of recipients share chooses neither; their kid does', async () => {
  const files = ['a', 'b'].map((name) => {
    mkdirSync(join(folder, name));
    const { recipient } = KeyPair.generate('P-256');
    writeFileSync(join(folder, name, 'ops.pub'), toJwkText([recipient]));
    return { file: join(folder, name, 'ops.pub'), kid: recipient.kid };
  });
  const service = serviceWith({ recipients: files.map(({ file }) => file) });
  const seal = (recipient: string) => service.encrypt(Buffer.from('hunter2'), { recipient: [recipient] });
  await expect(seal('ops')).rejects.toThrow(
    `several recipients have this name; choose one by its kid: ${files.map(({ kid }) => kid).join(', ')}`,
  );
  expect((await seal(files[1]!.kid)).recipients).toEqual([files[1]!.kid]);
});
