import { randomBytes } from 'node:crypto';
import { PasswordKey, toJwkText } from '@svc/password-format';
import { Command, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { loadKeyFile } from './load-password-keys.js';
import { writeNewFile } from '../files/write-new-file.js';

/** Sizes of AES keys in bits, as the command line takes them. */
const KEY_BITS = ['128', '192', '256'] as const;

interface Options {
  readonly bits: (typeof KEY_BITS)[number];
  readonly with?: readonly string[];
}

const AFTER_HELP = `
The file is a JWK, or with --with a JWK set: its first key encrypts, and all its keys decrypt. To rotate keys:
  svccmd keygen new.key --with old.key     then set pwdencryptor.key to new.key
  svccmd encpwd --rotate library/*.yaml    for every file with passwords
Finally delete the old key from new.key.`;

export function keygenCommand(context: CommandContext): Command {
  return new Command('keygen')
    .description('Create a key file for encpwd that only its owner can read. Never overwrites a file.')
    .argument('<file>', 'the file to create')
    .addOption(new Option('--bits <bits>', 'size of the AES key').choices(KEY_BITS).default('256'))
    .option('--with <key_files...>', 'add older keys for decryption: creates a JWK set')
    .addHelpText('after', AFTER_HELP)
    .action(async (file: string, options: Options) => {
      const key = makeKey(options.bits);
      const older: PasswordKey[] = [];
      for (const name of options.with ?? []) older.push(...(await loadKeyFile(name, '--with', context.note)));
      await writeNewFile(file, toJwkText([key, ...older]));
      context.answer({
        text: `${file}: key ${key.kid} for ${key.enc}`,
        value: { file, kid: key.kid, bits: Number(options.bits), keys: 1 + older.length },
      });
    });
}

/** A new random key. */
function makeKey(bits: (typeof KEY_BITS)[number]): PasswordKey {
  return new PasswordKey(randomBytes(Number(bits) / 8));
}
