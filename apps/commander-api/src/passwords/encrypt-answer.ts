import { ApiProperty } from '@nestjs/swagger';
import { encryptPassword, type PasswordKeys } from '@svc/password-format';

export const EXAMPLE_JWE =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoielBWdUgyWnA0RmcifQ..POupSbeoSCKwPzYp.ag.lGTuvrIxuYIr4UEMFtOZXw';

/** An encrypted password and the id of the key that opens it: what the command line and HTTP both answer. */
export class EncryptedPasswordAnswer {
  @ApiProperty({ description: 'A JWE in compact serialization.', example: EXAMPLE_JWE })
  readonly encrypted_password!: string;

  @ApiProperty({ description: 'Id of the key.', example: 'zPVuH2Zp4Fg' })
  readonly kid!: string;
}

/**
 * Encrypts a password with the first key.
 *
 * @throws {InvalidPasswordError}
 */
export async function encryptAnswer(password: string, [key]: PasswordKeys): Promise<EncryptedPasswordAnswer> {
  return { encrypted_password: await encryptPassword(password, key), kid: key.kid };
}
