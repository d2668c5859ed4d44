export { boundPlace, decryptPassword, isSealed, keyIdsOf } from './decrypt-password.js';
export { decryptPasswords, ENCPWD_TAG, encpwdTag, EncryptedPassword } from './encpwd-tag.js';
export {
  decodePassword,
  encryptPassword,
  type EncryptionTarget,
  kidsOf,
  MAX_PASSWORD_BYTES,
  MAX_RECIPIENTS,
} from './encrypt-password.js';
export { type KeyForm, MAX_KEY_FILE_BYTES } from './key-form.js';
export { toJwkText } from './parse-jwk.js';
export { MAX_PLACE_BYTES } from './password-header.js';
export { parseKeyFile, parseRecipients } from './parse-key.js';
export { DecryptionError, InvalidKeyError, InvalidPasswordError } from './password-errors.js';
export { type Encryption, type OpeningKey, PasswordKey, type PasswordKeys } from './password-key.js';
export { belongsAt } from './password-place.js';
export { taggedText } from './documents/replace-yaml-scalar.js';
export { checkEncrypted, type EncryptedProblem, type EncryptedRules } from './check-encrypted.js';
export { bareValue } from './read-encrypted.js';
export { encryptMarked, type Rotation, rotatePasswords } from './rotate-passwords.js';
export { type DocumentError } from './documents/document-scalar.js';
export { formatKeyPath, parseKeyPath } from './documents/key-path.js';
export { type DocumentFormat, documentFormat } from './documents/read-document.js';
export { NoSuchKeyError, setPassword } from './set-password.js';
export { type Curve, CURVES, KeyPair, Recipient } from './sealing-keys.js';
export { findPlainPasswords } from './plain/find-plain.js';
export { type PlainPassword, type PlainRule } from './plain/plain-password.js';
