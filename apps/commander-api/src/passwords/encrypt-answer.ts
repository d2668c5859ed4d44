import { encryptPassword, type PasswordKeys } from '@svc/password-format';

/** An encrypted password and the id of the key that opens it: what the command line and HTTP both answer. */
export interface EncryptedPassword {
  readonly encrypted_password: string;
  readonly kid: string;
}

/**
 * Encrypts a password with the first key.
 *
 * @throws {InvalidPasswordError}
 */
export async function encryptAnswer(password: string, [key]: PasswordKeys): Promise<EncryptedPassword> {
  return { encrypted_password: await encryptPassword(password, key), kid: key.kid };
}
