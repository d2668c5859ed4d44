import type { ConfigKey } from './config-key.js';

/** The keys of `[pwdencryptor]`: what passwords are encrypted and decrypted with. */
export const PWDENCRYPTOR_KEYS: readonly ConfigKey[] = [
  {
    section: 'pwdencryptor',
    key: 'key',
    type: 'key',
    example: 'password.key',
    description:
      'key file for encpwd, credential:<name> of systemd, or the AES key itself after "hex:", "base64:" or "raw:"',
  },
  {
    section: 'pwdencryptor',
    key: 'key_command',
    type: 'command',
    secret: true,
    example: 'pass show encpwd',
    description: 'command that prints the key, instead of key; run without a shell',
  },
  {
    section: 'pwdencryptor',
    key: 'recipients',
    type: 'paths',
    example: 'collector.pub',
    description: 'files of public keys that encpwd seals passwords to, separated by commas',
  },
];
