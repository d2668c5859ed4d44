import { Inject, Injectable } from '@nestjs/common';
import { decodePassword, type PasswordKeys } from '@svc/password-format';
import { Problem } from '@svc/service-kit';
import { CommandError } from '../errors/command-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG } from '../config/config.module.js';
import { LOGGER, type Logger } from '../http/logger.module.js';
import { encryptAnswer, type EncryptedPasswordAnswer } from './encrypt-answer.js';
import { assertEncrypts, loadPasswordKeys } from './load-password-keys.js';

@Injectable()
export class PasswordsService {
  /** What the log was last told of the key file. */
  private warned = '';

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param bytes the password in UTF-8
   * @throws {InvalidPasswordError}
   * @throws {Problem} 503 when there is no usable key
   */
  async encrypt(bytes: Uint8Array): Promise<EncryptedPasswordAnswer> {
    const password = decodePassword(bytes);
    // Read each time, so that a rotated key counts at once.
    return encryptAnswer(password, await this.keys());
  }

  private async keys(): Promise<PasswordKeys> {
    const warnings: string[] = [];
    try {
      const keys = await loadPasswordKeys(this.config.pwdencryptor, (line) => warnings.push(line));
      assertEncrypts(keys);
      return keys;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const detail =
        this.config.pwdencryptor.key === undefined
          ? 'No key is configured: set pwdencryptor.key.'
          : 'The key of pwdencryptor.key cannot be used; the log of the server says why.';
      throw new Problem({ status: 503, detail, cause: error });
    } finally {
      this.warn(warnings.join('\n'));
    }
  }

  /** Once, not at each request, and again when it has been right in between. */
  private warn(line: string): void {
    if (line !== '' && line !== this.warned) this.logger.warn(line);
    this.warned = line;
  }
}
