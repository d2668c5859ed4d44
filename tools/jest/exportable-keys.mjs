// Node 20 may hang while it exports a key from generateKeyPairSync: a garbage collection meanwhile waits for the key's mutex,
// which the export holds. In tests, new keys are therefore encoded as they are generated, and read anew, until Node 20 is no longer
// supported.
import crypto from 'node:crypto';

const ENCODINGS = /** @type {const} */ ({
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
});

/** @type {any} */
const { generateKeyPairSync } = crypto;

/** @type {any} */ (crypto).generateKeyPairSync = (type, options = {}) => {
  if ('publicKeyEncoding' in options || 'privateKeyEncoding' in options)
    return generateKeyPairSync(type, options);
  const { publicKey, privateKey } = generateKeyPairSync(type, { ...options, ...ENCODINGS });
  return {
    publicKey: crypto.createPublicKey({ key: publicKey, ...ENCODINGS.publicKeyEncoding }),
    privateKey: crypto.createPrivateKey({ key: privateKey, ...ENCODINGS.privateKeyEncoding }),
  };
};
