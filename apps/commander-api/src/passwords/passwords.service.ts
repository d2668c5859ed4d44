import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  decodePassword,
  type EncryptionTarget,
  InvalidPasswordError,
  KeyPair,
  type OpeningKey,
  type PasswordKeys,
  type Recipient,
} from '@svc/password-format';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../http/providers.module.js';
import { encryptAnswer, type EncryptedAnswer } from './encrypt-answer.js';
import type { EncryptQuery } from './encrypt-query.dto.js';
import { assertEncrypts, hasKey, loadPasswordKeys, type Warn } from './load-password-keys.js';
import { loadNamedRecipients, type NamedRecipient } from './load-recipients.js';
import { SharedLoad } from './shared-load.js';

/** A command may be slow or ask a server, so its key is kept for a while. */
const COMMAND_KEY_MS = 30_000;

/** A failure may be over soon, but many requests must not start many commands. */
const FAILURE_MS = 1_000;

/** What the settings name, and the warnings about it. */
interface LoadedKeys {
  readonly recipients: readonly NamedRecipient[];
  readonly key?: OpeningKey;
  readonly warnings: readonly string[];
}

@Injectable()
export class PasswordsService implements OnModuleDestroy {
  /** The last logged warning about the key file. */
  private warned = '';
  private readonly closing = new AbortController();
  private readonly loads = new SharedLoad(async () => this.loadAll());
  private commandKeys: { until: number; readonly keys: Promise<PasswordKeys> } | undefined;

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Ends a key command that still runs. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /**
   * @param bytes the password in UTF-8
   * @throws {CommanderError} when the password cannot be encrypted, or no key is usable
   */
  async encrypt(bytes: Uint8Array, { recipient, for: place }: EncryptQuery): Promise<EncryptedAnswer> {
    try {
      const password = decodePassword(bytes);
      return await encryptAnswer(password, await this.target(recipient), place);
    } catch (error) {
      throw error instanceof InvalidPasswordError ? toPasswordError(error) : error;
    }
  }

  /** The public keys that passwords are sealed to. */
  async publicKeys(): Promise<Recipient[]> {
    const { recipients = [], key, key_command } = this.config.pwdencryptor;
    if (recipients.length === 0 && (key ?? key_command) === undefined) return [];
    return (await this.withKeys(async (warn) => this.load(warn))).recipients.map(
      ({ recipient }) => recipient,
    );
  }

  private async target(wanted: readonly string[] | undefined): Promise<EncryptionTarget> {
    return this.withKeys(async (warn) => {
      const { recipients, key } = await this.load(warn);
      if (recipients.length > 0 || wanted || !key) return chooseRecipients(recipients, wanted);
      assertEncrypts([key]);
      return key;
    });
  }

  private async load(warn: Warn): Promise<LoadedKeys> {
    const loaded = await this.loads.run();
    for (const line of loaded.warnings) warn(line);
    return loaded;
  }

  /**
   * The configured recipients, else the configured key; the public key of a key pair is a recipient, too. Key files are read
   * for each request, or once for several waiting ones, so that new keys take effect immediately.
   */
  private async loadAll(): Promise<LoadedKeys> {
    const { recipients: files = [] } = this.config.pwdencryptor;
    if (files.length > 0)
      return { recipients: await loadNamedRecipients(files, 'pwdencryptor.recipients'), warnings: [] };
    const warnings: string[] = [];
    const [key] = await this.keys((line) => warnings.push(line));
    return {
      recipients: key instanceof KeyPair ? [{ name: key.kid, file: key.kid, recipient: key.recipient }] : [],
      key,
      warnings,
    };
  }

  private async keys(warn: Warn): Promise<PasswordKeys> {
    const settings = this.config.pwdencryptor;
    if (settings.key_command === undefined) return loadPasswordKeys(settings, warn);
    if (!this.commandKeys || this.commandKeys.until < performance.now()) {
      const { signal } = this.closing;
      const keys = loadPasswordKeys(settings, warn, { signal });
      this.commandKeys = { until: performance.now() + COMMAND_KEY_MS, keys };
      const own = this.commandKeys;
      keys.catch(() => (own.until = performance.now() + FAILURE_MS));
    }
    return this.commandKeys.keys;
  }

  private async withKeys<T>(load: (warn: Warn) => Promise<T>): Promise<T> {
    const warnings: string[] = [];
    try {
      return await load((line) => warnings.push(line));
    } catch (error) {
      if (!(error instanceof CommanderError) || error.code !== 'configuration') throw error;
      const detail =
        hasKey(this.config.pwdencryptor) || this.config.pwdencryptor.recipients?.length
          ? 'The keys in pwdencryptor cannot be used; see the server log.'
          : 'No key is configured: set pwdencryptor.key.';
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

function chooseRecipients(
  recipients: readonly NamedRecipient[],
  wanted: readonly string[] | undefined,
): EncryptionTarget {
  for (const name of wanted ?? []) assertUnambiguous(recipients, name);
  const unknown = wanted?.find((own) => !recipients.some((one) => isMeant(one, own)));
  const chosen = wanted ? recipients.filter((one) => wanted.some((own) => isMeant(one, own))) : recipients;
  const [first, ...others] = chosen.map(({ recipient }) => recipient);
  if (unknown === undefined && first) return [first, ...others];
  const known = recipients.map(({ name, recipient }) => `${name} (${recipient.kid})`).join(', ') || 'none';
  throw new CommanderError('invalid_option', `unknown recipient; known: ${known}`, {
    detail: `There is no such recipient; known recipients: ${known}.`,
  });
}

/** All keys of a file share its name; two files with the same name are probably not both meant. */
function assertUnambiguous(recipients: readonly NamedRecipient[], wanted: string): void {
  const named = recipients.filter(({ name }) => name === wanted);
  if (new Set(named.map(({ file }) => file)).size < 2) return;
  const kids = named.map(({ recipient }) => recipient.kid).join(', ');
  throw new CommanderError(
    'invalid_option',
    `several recipients have this name; choose one by its kid: ${kids}`,
    { detail: `Several recipients have this name; choose one by its kid: ${kids}.` },
  );
}

const isMeant = ({ name, recipient }: NamedRecipient, wanted: string): boolean =>
  name === wanted || recipient.kid === wanted;

function toPasswordError(error: InvalidPasswordError): CommanderError {
  const { code, message } = error;
  return new CommanderError(code === 'too_long' ? 'password_too_long' : 'invalid_password', message, {
    cause: error,
    detail: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
  });
}
