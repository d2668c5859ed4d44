export { decryptPassword, keyIdOf } from './decrypt-password.js';
export { decryptPasswords, ENCPWD_TAG, encpwdTag, EncryptedPassword } from './encpwd-tag.js';
export { decodePassword, encryptPassword, MAX_PASSWORD_BYTES } from './encrypt-password.js';
export { toJwkText } from './parse-jwk.js';
export { type KeyForm, parseKeyFile } from './parse-key.js';
export { DecryptionError, InvalidKeyError, InvalidPasswordError } from './password-errors.js';
export { type Encryption, PasswordKey, type PasswordKeys } from './password-key.js';
export { type Rotation, rotatePasswords } from './rotate-passwords.js';
