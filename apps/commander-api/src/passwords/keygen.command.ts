import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type Curve, CURVES, KeyPair, type OpeningKey, PasswordKey, toJwkText } from '@svc/password-format';
import { Command, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { loadKeyFile } from './load-password-keys.js';
import { writeNewFile } from '../files/write-new-file.js';

/** Sizes of AES keys in bits, as the command line takes them. */
const KEY_BITS = ['128', '192', '256'] as const;

interface Options {
  readonly bits: (typeof KEY_BITS)[number];
  readonly pair?: true;
  readonly curve?: Curve;
  readonly with?: readonly string[];
}

const AFTER_HELP = `
The file is a JWK, or with --with a JWK set: its first key encrypts, and all its keys decrypt. To rotate keys:
  svccmd keygen new.key --with old.key     first give new.key to every program that decrypts,
                                           then set pwdencryptor.key to new.key
  svccmd encpwd --rotate library/          for every folder and file with passwords
Finally delete the old key from new.key.

With --pair, "keygen --pair collector.key" also writes the public key to collector.pub. Anyone who has it can
encrypt ("encpwd --recipient collector.pub"), but only the owner of collector.key can decrypt.`;

export function keygenCommand(context: CommandContext): Command {
  return new Command('keygen')
    .description('Create a key file for encpwd that only its owner can read. Never overwrites a file.')
    .argument('<file>', 'the file to create')
    .addOption(new Option('--bits <bits>', 'size of the AES key').choices(KEY_BITS).default('256'))
    .option('--pair', 'create a private key, and beside it the file of its public key (.pub)')
    .addOption(
      new Option(
        '--curve <curve>',
        `curve of the pair (default: "${CURVES[0]}"); few programs read X25519`,
      ).choices(CURVES),
    )
    .option('--with <key_files...>', 'add older keys for decryption: creates a JWK set')
    .addHelpText('after', AFTER_HELP)
    .action(async (file: string, options: Options) => {
      const { curve = CURVES[0] } = options;
      if (options.curve && !options.pair)
        throw new CommanderError('usage', '--curve requires --pair: an AES key has no curve');
      const key = options.pair ? KeyPair.generate(curve) : makeKey(options.bits);
      const older: OpeningKey[] = [];
      for (const name of options.with ?? []) older.push(...(await loadKeyFile(name, '--with', context.note)));
      const publicFile = key instanceof KeyPair ? await writePublic(key, publicName(file)) : undefined;
      try {
        await writeNewFile(file, toJwkText([key, ...older]));
      } catch (error) {
        if (publicFile !== undefined) await rm(publicFile, { force: true });
        throw error;
      }
      const pair = publicFile === undefined ? '' : `; its public key is in ${publicFile}`;
      context.answer({
        text: `${file}: key ${key.kid} for ${key instanceof KeyPair ? curve : key.enc}${pair}`,
        value: {
          file,
          kid: key.kid,
          keys: 1 + older.length,
          ...(publicFile === undefined ? { bits: Number(options.bits) } : { curve, public_file: publicFile }),
        },
      });
    });
}

/** `collector.pub` for `collector.key`. */
const publicName = (file: string): string => `${file.replace(/\.(key|jwk|json)$/, '')}.pub`;

async function writePublic({ recipient }: KeyPair, file: string): Promise<string> {
  await writeNewFile(file, toJwkText([recipient]), 0o644);
  return file;
}

/** A new random key. */
function makeKey(bits: (typeof KEY_BITS)[number]): PasswordKey {
  return new PasswordKey(randomBytes(Number(bits) / 8));
}
