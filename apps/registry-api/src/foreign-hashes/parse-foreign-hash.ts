/** What foreign hashes are made with. */
export const HASH_SCHEMES = [
  'bcrypt',
  'argon2id',
  'pbkdf2',
  'scrypt',
  'sha256_crypt',
  'sha512_crypt',
  'sha256',
  'sha512',
] as const;

/** The hash of a client_secret, as another product stores it. */
export type ForeignHash =
  | {
      readonly scheme: 'bcrypt';
      /** `$2b$<cost>$<salt and digest>` */
      readonly encoded: string;
      /** Whether the secret's SHA-256 was hashed instead, in hex: bcrypt reads no more than 72 bytes. */
      readonly isOfDigest: boolean;
    }
  | (Salted & { readonly scheme: 'argon2id'; memoryKib: number; passes: number; lanes: number })
  | (Salted & { readonly scheme: 'pbkdf2'; algorithm: Sha; iterations: number })
  | (Salted & { readonly scheme: 'scrypt'; cost: number; blockSize: number; lanes: number })
  | {
      readonly scheme: 'sha256_crypt' | 'sha512_crypt';
      readonly algorithm: Sha;
      readonly rounds: number;
      readonly salt: Buffer;
      /** The digest as crypt(3) writes it. */
      readonly encoded: string;
    }
  /** The hash of the secret followed by the salt. */
  | (Salted & { readonly scheme: Sha });

interface Salted {
  readonly salt: Buffer;
  readonly digest: Buffer;
}

type Sha = 'sha256' | 'sha512';

/** A hash that cannot be imported. The message does not contain it. */
export class ForeignHashError extends Error {
  override readonly name = 'ForeignHashError';
}

/** The longest accepted text. */
const MAX_LENGTH = 1_024;

/** Each hash within these limits takes about 2 s and 128 MiB at most to check. */
const LIMITS = {
  bcryptCost: 13,
  memoryKib: 128 * 1_024,
  /** Memory written in all passes of a hash. */
  writtenKib: 1_024 * 1_024,
  lanes: 16,
  iterations: 2_000_000,
  /** More than passlib's 656,000. */
  shaCryptRounds: 700_000,
  saltBytes: 256,
};

/** A shorter digest would match too many secrets. */
const MIN_DIGEST_BYTES = 16;
const MAX_DIGEST_BYTES = 128;

/** What comes before the salt in the format of ASP.NET Core Identity. */
const IDENTITY_HEAD_BYTES = 13;

interface HashFormat {
  /** With named groups, which `read` gets. */
  readonly pattern: RegExp;
  readonly read: (groups: Readonly<Record<string, string>>) => ForeignHash;
}

const SALT_AND_DIGEST = String.raw`(?<salt>[A-Za-z0-9+/.]+)\$(?<digest>[A-Za-z0-9+/.]+)`;
const BASE64 = String.raw`[A-Za-z0-9+/]+={0,2}`;

/**
 * The formats: the PHC string format, and those of Modular Crypt, Hydra, passlib, Django, Werkzeug, LDAP, Doorkeeper,
 * IdentityServer, and OpenIddict and ASP.NET Core Identity.
 */
const FORMATS: readonly HashFormat[] = [
  {
    pattern: /^(?:bcrypt\$)?(?<encoded>\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53})$/,
    read: ({ encoded, cost }) => bcrypt(encoded, cost, false),
  },
  {
    pattern: /^bcrypt_sha256\$(?<encoded>\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53})$/,
    read: ({ encoded, cost }) => bcrypt(encoded, cost, true),
  },
  {
    pattern: new RegExp(
      String.raw`^(?:argon2)?\$argon2id\$v=19\$m=(?<memory>\d{1,9}),t=(?<passes>\d{1,9}),p=(?<lanes>\d{1,9})\$${SALT_AND_DIGEST}$`,
    ),
    read: ({ memory, passes, lanes, ...salted }) =>
      argon2id({ memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }, fromPhc(salted)),
  },
  {
    pattern: new RegExp(
      String.raw`^\$pbkdf2-(?<algorithm>sha256|sha512)\$(?:i=)?(?<iterations>\d{1,9})(?:,l=\d{1,4})?\$${SALT_AND_DIGEST}$`,
    ),
    read: ({ algorithm, iterations, ...salted }) => pbkdf2(algorithm, iterations, fromPhc(salted)),
  },
  {
    pattern: new RegExp(
      String.raw`^pbkdf2_(?<algorithm>sha256)\$(?<iterations>\d{1,9})\$(?<salt>[^$]+)\$(?<digest>${BASE64})$`,
    ),
    read: ({ algorithm, iterations, salt, digest }) =>
      pbkdf2(algorithm, iterations, { salt: bytes(salt, 'utf8'), digest: bytes(digest, 'base64') }),
  },
  {
    pattern:
      /^pbkdf2:(?<algorithm>sha256|sha512):(?<iterations>\d{1,9})\$(?<salt>[^$]+)\$(?<digest>[0-9a-f]+)$/,
    read: ({ algorithm, iterations, salt, digest }) =>
      pbkdf2(algorithm, iterations, { salt: bytes(salt, 'utf8'), digest: bytes(digest, 'hex') }),
  },
  {
    pattern: new RegExp(
      String.raw`^\$scrypt\$ln=(?<log>\d{1,2}),r=(?<size>\d{1,9}),p=(?<lanes>\d{1,9})\$${SALT_AND_DIGEST}$`,
    ),
    read: ({ log, size, lanes, ...salted }) => scrypt(2 ** Number(log), size, lanes, fromPhc(salted)),
  },
  {
    pattern: new RegExp(
      String.raw`^scrypt\$(?<cost>\d{1,9})\$(?<salt>[^$]+)\$(?<size>\d{1,9})\$(?<lanes>\d{1,9})\$(?<digest>${BASE64})$`,
    ),
    read: ({ cost, size, lanes, salt, digest }) =>
      scrypt(Number(cost), size, lanes, { salt: bytes(salt, 'utf8'), digest: bytes(digest, 'base64') }),
  },
  {
    pattern:
      /^scrypt:(?<cost>\d{1,9}):(?<size>\d{1,9}):(?<lanes>\d{1,9})\$(?<salt>[^$]+)\$(?<digest>[0-9a-f]+)$/,
    read: ({ cost, size, lanes, salt, digest }) =>
      scrypt(Number(cost), size, lanes, { salt: bytes(salt, 'utf8'), digest: bytes(digest, 'hex') }),
  },
  {
    pattern:
      /^\$(?<version>[56])\$(?:rounds=(?<rounds>\d{1,9})\$)?(?<salt>[^$:\n]*)\$(?<encoded>[./A-Za-z0-9]{43}|[./A-Za-z0-9]{86})$/,
    read: ({ version, rounds, salt, encoded }) => shaCrypt(version, rounds, bytes(salt, 'utf8'), encoded),
  },
  {
    // Before unsalted digests: with an unusual salt, it may be as long as one.
    pattern: /^(?<payload>AQAAAA[A-Za-z0-9+/]+={0,2})$/,
    read: ({ payload }) => identity(bytes(payload, 'base64')),
  },
  {
    pattern: new RegExp(`^\\{S?SHA(?<bits>256|512)\\}(?<digest>${BASE64})$`),
    read: ({ bits, digest }) => salted(bits, bytes(digest, 'base64')),
  },
  {
    pattern: /^(?<digest>[0-9A-Fa-f]{64}|[0-9A-Fa-f]{128})$/,
    read: ({ digest }) => plain(bytes(digest, 'hex')),
  },
  {
    pattern: /^(?<digest>[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)$/,
    read: ({ digest }) => plain(bytes(digest, 'base64')),
  },
];

/** @throws {ForeignHashError} if the format is unknown, or the hash would be too expensive to check */
export function parseForeignHash(text: string): ForeignHash {
  if (text.length > MAX_LENGTH) throw new ForeignHashError(`is longer than ${MAX_LENGTH} characters`);
  for (const { pattern, read } of FORMATS) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return checked(read(groups));
  }
  throw new ForeignHashError(
    'is not a hash in a known format: bcrypt, argon2id, PBKDF2, scrypt, SHA-crypt, SHA-256 or SHA-512',
  );
}

function checked(hash: ForeignHash): ForeignHash {
  if (hash.scheme === 'bcrypt' || 'encoded' in hash) return hash;
  refuseOutside('digest', hash.digest.length, MIN_DIGEST_BYTES, MAX_DIGEST_BYTES, ' bytes');
  refuseOutside('salt', hash.salt.length, 0, LIMITS.saltBytes, ' bytes');
  return hash;
}

function bcrypt(encoded = '', cost = '', isOfDigest: boolean): ForeignHash {
  refuseOutside('cost', Number(cost), 4, LIMITS.bcryptCost);
  return { scheme: 'bcrypt', encoded, isOfDigest };
}

function argon2id(
  { memoryKib, passes, lanes }: { memoryKib: number; passes: number; lanes: number },
  rest: Salted,
): ForeignHash {
  refuseOutside('p', lanes, 1, LIMITS.lanes);
  refuseOutside('m', memoryKib, 8 * lanes, LIMITS.memoryKib);
  refuseOutside('t', passes, 1, Math.floor(LIMITS.writtenKib / memoryKib));
  // RFC 9106 section 3.1; libraries reject shorter ones.
  refuseOutside('salt', rest.salt.length, 8, LIMITS.saltBytes, ' bytes');
  return { scheme: 'argon2id', memoryKib, passes, lanes, ...rest };
}

function pbkdf2(algorithm = '', iterations = '', rest: Salted): ForeignHash {
  refuseOutside('iterations', Number(iterations), 1, LIMITS.iterations);
  return { scheme: 'pbkdf2', algorithm: algorithm as Sha, iterations: Number(iterations), ...rest };
}

function scrypt(cost: number, size = '', parallelism = '', rest: Salted): ForeignHash {
  const [blockSize, lanes] = [Number(size), Number(parallelism)];
  if (cost < 2 || !Number.isInteger(Math.log2(cost)))
    throw new ForeignHashError('has an N that is not a power of 2');
  refuseOutside('r', blockSize, 1, 64);
  refuseOutside('p', lanes, 1, LIMITS.lanes);
  const memoryKib = (cost * blockSize) / 8;
  refuseOutside('N × r × 128', memoryKib, 0, LIMITS.memoryKib, ' KiB');
  refuseOutside('N × r × p × 128', memoryKib * lanes, 0, LIMITS.writtenKib / 2, ' KiB');
  return { scheme: 'scrypt', cost, blockSize, lanes, ...rest };
}

/** crypt(3) reads 16 bytes of the salt. @param rounds undefined: the default of crypt(3) */
function shaCrypt(version = '', rounds = '5000', salt: Buffer, encoded = ''): ForeignHash {
  const [algorithm, length] = version === '5' ? (['sha256', 43] as const) : (['sha512', 86] as const);
  refuseOutside('digest', encoded.length, length, length, ' characters');
  refuseOutside('rounds', Number(rounds), 1_000, LIMITS.shaCryptRounds);
  const scheme = `${algorithm}_crypt` as const;
  return { scheme, algorithm, rounds: Number(rounds), salt: salt.subarray(0, 16), encoded };
}

/** The format of OpenIddict and ASP.NET Core Identity (version 3): 1, function, iterations, length of the salt, salt, digest. */
function identity(payload: Buffer): ForeignHash {
  refuseOutside('payload', payload.length, IDENTITY_HEAD_BYTES, MAX_LENGTH, ' bytes');
  const [algorithm, iterations, length] = [1, 5, 9].map((at) => payload.readUInt32BE(at));
  if (algorithm !== 1 && algorithm !== 2)
    throw new ForeignHashError('uses PBKDF2 with a hash function other than SHA-256 or SHA-512');
  const end = IDENTITY_HEAD_BYTES + length!;
  const rest = { salt: payload.subarray(IDENTITY_HEAD_BYTES, end), digest: payload.subarray(end) };
  return pbkdf2(algorithm === 1 ? 'sha256' : 'sha512', String(iterations), rest);
}

/** LDAP appends the salt to the digest. */
function salted(bits = '', content: Buffer): ForeignHash {
  const length = Number(bits) / 8;
  const parts = { digest: content.subarray(0, length), salt: content.subarray(length) };
  refuseOutside('digest', parts.digest.length, length, length, ' bytes');
  return { scheme: bits === '256' ? 'sha256' : 'sha512', ...parts };
}

function plain(digest: Buffer): ForeignHash {
  return { scheme: digest.length === 32 ? 'sha256' : 'sha512', digest, salt: Buffer.alloc(0) };
}

/** The PHC string format encodes in base64 without padding; passlib writes `.` instead of `+`. */
function fromPhc({ salt = '', digest = '' }: Readonly<Record<string, string>>): Salted {
  const read = (text: string) => bytes(text.replaceAll('.', '+'), 'base64');
  return { salt: read(salt), digest: read(digest) };
}

function bytes(text = '', encoding: 'utf8' | 'hex' | 'base64'): Buffer {
  return Buffer.from(text, encoding);
}

function refuseOutside(name: string, value: number, least: number, most: number, unit = ''): void {
  if (value >= least && value <= most) return;
  throw new ForeignHashError(`has the ${name} ${value}${unit}; it must be from ${least} to ${most}${unit}`);
}
