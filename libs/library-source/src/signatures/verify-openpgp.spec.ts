import {
  config,
  createMessage,
  enums,
  generateKey,
  PacketList,
  type PrivateKey,
  readPrivateKey,
  Signature,
  SignaturePacket,
} from 'openpgp';
import { parseOpenpgpKeys } from './openpgp-keys.js';
import { verifyOpenpgp } from './verify-openpgp.js';

const PAYLOAD = Buffer.from('tree 1234\n');

let key: PrivateKey;
let list: string;

beforeAll(async () => {
  const made = await generateKey({ userIDs: { name: 'a' }, format: 'armored' });
  key = await readPrivateKey({ armoredKey: made.privateKey });
  list = made.publicKey;
});

/** A signature without an issue, except that it may be for another purpose. */
async function signatureOf(type: enums.signature): Promise<string> {
  const packet = new SignaturePacket();
  packet.signatureType = type;
  packet.publicKeyAlgorithm = key.keyPacket.algorithm;
  packet.hashAlgorithm = enums.hash.sha512;
  const { packets: contents } = await createMessage({ binary: PAYLOAD, format: 'binary' });
  // Its declaration lacks the last parameter, which it requires.
  await Reflect.apply(packet.sign, packet, [key.keyPacket, contents[0], new Date(), true, config]);
  const packets = new PacketList<SignaturePacket>();
  packets.push(packet);
  return new Signature(packets).armor() as string;
}

test.each([
  ['binary', true],
  ['text', true],
  ['standalone', false],
  ['timestamp', false],
] as const)('a signature of the type %s may sign a commit: %s', async (type, isGood) => {
  const signature = await signatureOf(enums.signature[type]);
  const keys = await parseOpenpgpKeys(list);
  const verifying = verifyOpenpgp({ payload: PAYLOAD, signature, seconds: 0 }, keys, 'list', new Date());
  if (isGood) expect(await verifying).toMatchObject({ name: 'a' });
  else await expect(verifying).rejects.toThrow(/has a signature that is not for a file; sign it with git/);
});
