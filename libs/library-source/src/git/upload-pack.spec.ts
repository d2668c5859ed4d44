import { FLUSH, pktLine } from './pkt-lines.js';
import { readUploadPackAnswer, uploadPackRequest } from './upload-pack.js';

const OID = 'a'.repeat(40);
const wantOf = (...offered: string[]) => uploadPackRequest(OID, new Set(offered)).toString().split('\n')[0];

test('requests the best of the offered capabilities, and nothing else', () => {
  const all = ['multi_ack', 'multi_ack_detailed', 'side-band', 'side-band-64k', 'thin-pack', 'ofs-delta'];
  expect(wantOf('shallow', ...all, 'no-progress', 'agent=git/2.39.5')).toBe(
    `0076want ${OID} multi_ack_detailed side-band-64k ofs-delta no-progress agent=svccmd`,
  );
  expect(wantOf('shallow', 'multi_ack', 'side-band')).toBe(`0046want ${OID} multi_ack side-band`);
});

test('instead of its contents alone, the history that another commit does not have can be requested', () => {
  const text = uploadPackRequest(OID, new Set(['side-band']), 'b'.repeat(40)).toString();
  expect(text).toBe(
    `${pktLine(`want ${OID} side-band\n`)}${FLUSH}${pktLine(`have ${'b'.repeat(40)}\n`)}${pktLine('done\n')}`,
  );
});

test.each([
  ['the history', ['side-band-64k'], 'the server cannot leave out the history'],
  ['its errors', ['shallow'], 'the server cannot send errors beside the objects (side-band)'],
])('a server that cannot separate %s is rejected', (_case, offered, message) => {
  expect(() => wantOf(...offered)).toThrow(message);
});

test('the pack begins after the last acknowledgement', async () => {
  const lines = [`shallow ${OID}\n`, undefined, `ACK ${OID} continue\n`, `ACK ${OID} ready\n`, 'NAK\n'];
  const answer = lines.map((line) => (line === undefined ? FLUSH : pktLine(line))).join('');
  const pieces: string[] = [];
  const body = (async function* () {
    yield Buffer.from(
      answer + pktLine('\u0001PACK') + pktLine('\u0002progress') + pktLine('\u0001rest') + FLUSH,
    );
  })();
  for await (const piece of readUploadPackAnswer(body)) pieces.push(piece.toString());
  expect(pieces).toEqual(['PACK', 'rest']);
});
