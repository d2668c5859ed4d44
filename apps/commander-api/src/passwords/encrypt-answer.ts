import { encryptPassword, type EncryptionTarget, kidsOf, PasswordKey } from '@svc/password-format';

/** An encrypted password and the ids of the keys that open it: what the command line and HTTP both answer. */
export interface EncryptedAnswer {
  readonly encrypted_password: string;
  /** Id of the first key. */
  readonly kid: string;
  /** Ids of all public keys that it is sealed to; absent for a symmetric key. */
  readonly recipients?: readonly string[];
}

/**
 * Encrypts a password.
 *
 * @param place see `encryptPassword`
 * @throws {InvalidPasswordError}
 */
export async function encryptAnswer(
  password: string,
  target: EncryptionTarget,
  place?: string,
): Promise<EncryptedAnswer> {
  const encrypted = await encryptPassword(password, target, place);
  const kids = kidsOf(target);
  const recipients = target instanceof PasswordKey ? {} : { recipients: kids };
  return { encrypted_password: encrypted, kid: kids[0], ...recipients };
}
