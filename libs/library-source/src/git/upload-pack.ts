import { FLUSH, GitAnswerError, pktLine, readPktLines, throwIfRefused } from './pkt-lines.js';

/**
 * Capabilities to request: from each group, the first one offered. Some servers reject clients without multi_ack, others
 * reject capabilities they did not offer.
 */
const WANTED_CAPABILITIES = [
  ['multi_ack_detailed', 'multi_ack'],
  ['side-band-64k', 'side-band'],
  ['ofs-delta'],
  ['no-progress'],
];

/**
 * Requests one object and everything it contains, in protocol version 0: without history, or with all of it that another
 * commit does not have.
 *
 * @param offered the server's capabilities
 * @param have the other commit
 * @throws {Error} if the server lacks a required capability
 * @see https://git-scm.com/docs/pack-protocol#_packfile_negotiation
 */
export function uploadPackRequest(oid: string, offered: ReadonlySet<string>, have?: string): Buffer {
  if (have === undefined && !offered.has('shallow'))
    throw new Error('the server cannot leave out the history');
  const capabilities = WANTED_CAPABILITIES.flatMap((group) =>
    group.filter((name) => offered.has(name)).slice(0, 1),
  );
  if (!capabilities.some((name) => name.startsWith('side-band'))) {
    throw new Error('the server cannot send errors beside the objects (side-band)');
  }
  if ([...offered].some((name) => name.startsWith('agent='))) capabilities.push('agent=svccmd');
  const want = pktLine(`want ${[oid, ...capabilities].join(' ')}\n`);
  const extent = have === undefined ? pktLine('deepen 1\n') + FLUSH : FLUSH + pktLine(`have ${have}\n`);
  return Buffer.from(want + extent + pktLine('done\n'));
}

const PACK_BAND = 1;
const ERROR_BAND = 3;

/**
 * Extracts the pack from the response to a request for objects, in either version, in chunks.
 *
 * @throws {GitAnswerError} with the server's own message if it refuses
 */
export async function* readUploadPackAnswer(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let isPack = false;
  for await (const line of readPktLines(body)) {
    if (line === undefined) continue;
    if (isPack) {
      const piece = packPiece(line);
      if (piece) yield piece;
      continue;
    }
    throwIfRefused(line);
    const text = line.toString('utf8').trim();
    // In version 0, preceded by "shallow <commit>" lines and, with multi_ack, possibly "ACK <commit> continue"; in
    // version 2, by a section "shallow-info".
    isPack = text === 'NAK' || text === 'packfile' || /^ACK [0-9a-f]{40}$/.test(text);
  }
}

/** @returns undefined for a progress message */
function packPiece(line: Buffer): Buffer | undefined {
  if (line[0] === PACK_BAND) return line.subarray(1);
  if (line[0] !== ERROR_BAND) return undefined;
  throw new GitAnswerError(`the server says: ${line.subarray(1).toString('utf8').trim()}`);
}
