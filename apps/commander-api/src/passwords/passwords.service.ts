import { Inject, Injectable } from '@nestjs/common';
import { decodePassword, type EncryptionTarget, InvalidPasswordError } from '@svc/password-format';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../http/providers.module.js';
import { encryptAnswer, type EncryptedPassword } from './encrypt-answer.js';
import { configuredTarget } from './choose-target.js';

@Injectable()
export class PasswordsService {
  /** The last logged warning about the key file. */
  private warned = '';

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param bytes the password in UTF-8
   * @throws {CommanderError} when the password cannot be encrypted, or no key is usable
   */
  async encrypt(bytes: Uint8Array): Promise<EncryptedPassword> {
    try {
      const password = decodePassword(bytes);
      // Read each time, so that a rotated key takes effect immediately.
      return await encryptAnswer(password, await this.target());
    } catch (error) {
      throw error instanceof InvalidPasswordError ? toPasswordError(error) : error;
    }
  }

  private async target(): Promise<EncryptionTarget> {
    const warnings: string[] = [];
    try {
      return await configuredTarget(this.config.pwdencryptor, (line) => warnings.push(line));
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      const detail =
        this.config.pwdencryptor.key === undefined
          ? 'No key is configured: set pwdencryptor.key.'
          : 'The key in pwdencryptor.key cannot be used; see the server log.';
      throw new CommanderError('configuration', detail, { cause: error });
    } finally {
      this.warn(warnings.join('\n'));
    }
  }

  /** Logs a warning once, not at each request, and again after the key file was valid in between. */
  private warn(line: string): void {
    if (line !== '' && line !== this.warned) this.logger.warn(line);
    this.warned = line;
  }
}

function toPasswordError(error: InvalidPasswordError): CommanderError {
  const { code, message } = error;
  return new CommanderError(code === 'too_long' ? 'password_too_long' : 'invalid_password', message, {
    cause: error,
    detail: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
  });
}
