import { Inject, Injectable } from '@nestjs/common';
import { decodePassword, encryptPassword, type PasswordKeys } from '@svc/password-format';
import { Problem } from '@svc/service-kit';
import { CommandError } from '../cli/exit-code.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG } from '../config/config.module.js';
import { LOGGER, type Logger } from '../http/logger.module.js';
import { loadPasswordKeys } from './load-password-keys.js';

/** An encrypted password and the id of the key that opens it. */
export interface EncryptedPasswordAnswer {
  readonly encrypted_password: string;
  readonly kid: string;
}

@Injectable()
export class PasswordsService {
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
    const [key] = await this.keys();
    return { encrypted_password: await encryptPassword(password, key), kid: key.kid };
  }

  private async keys(): Promise<PasswordKeys> {
    try {
      return await loadPasswordKeys(this.config.pwdencryptor.key, (line) => this.logger.warn(line));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const detail =
        this.config.pwdencryptor.key === undefined
          ? 'No key is configured: set pwdencryptor.key.'
          : 'The key of pwdencryptor.key cannot be used; the log of the server says why.';
      throw new Problem({ status: 503, detail, cause: error });
    }
  }
}
