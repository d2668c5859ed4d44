import { FLUSH, pktLine, readPktLines } from './pkt-lines.js';

/** Of what a server offers, what we make use of. */
const WANTED_CAPABILITIES = ['side-band-64k', 'ofs-delta', 'no-progress'];

/**
 * Asks for one object and all that it consists of, without its history.
 *
 * @param offered the server's capabilities
 * @see https://git-scm.com/docs/pack-protocol#_packfile_negotiation
 */
export function uploadPackRequest(oid: string, offered: ReadonlySet<string>): Buffer {
  const capabilities = WANTED_CAPABILITIES.filter((name) => offered.has(name));
  const want = pktLine(`want ${[oid, ...capabilities, 'agent=svccmd'].join(' ')}\n`);
  return Buffer.from(want + pktLine('deepen 1\n') + FLUSH + pktLine('done\n'));
}

const PACK_BAND = 1;
const ERROR_BAND = 3;

/**
 * The pack in an answer to `uploadPackRequest`, piece by piece.
 *
 * @throws {Error} with the server's own words when it refuses
 */
export async function* readUploadPackAnswer(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let isPack = false;
  for await (const line of readPktLines(body)) {
    if (line === undefined) continue;
    if (!isPack) {
      const text = line.toString('utf8').trim();
      if (text.startsWith('ERR ')) throw new Error(`the server says: ${text.slice('ERR '.length)}`);
      // Before it come the lines "shallow <commit>".
      isPack = text === 'NAK' || text.startsWith('ACK ');
    } else if (line[0] === PACK_BAND) yield line.subarray(1);
    else if (line[0] === ERROR_BAND) {
      throw new Error(`the server says: ${line.subarray(1).toString('utf8').trim()}`);
    }
  }
}
