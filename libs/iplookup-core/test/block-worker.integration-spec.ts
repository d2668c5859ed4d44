import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BlockClaims } from '../src/files/block-claims.js';
import type { BlockMessage, BlockTask } from '../src/files/block-worker.js';
import { giveBack, givenArrays } from '../src/files/shared-arrays.js';
import { engineModule } from '../src/scan/engine.js';
import type { NumberedPiece } from '../src/scan/numbered-rows.js';

/** As built: a thread needs a file that Node can run. */
const PROGRAM = new URL('../dist/files/block-worker.js', import.meta.url);

const BLOCK_BYTES = 10_000;

/** The first block that is left to the thread while the main one is in block 0. */
const FIRST = 7;

const LINES = Array.from(
  { length: 20_000 },
  (_, i) => `${i * 7},${i * 7 + (i % 7)},name ${i % 1_234},${i % 90}.5\n`,
);

let folder: string;
let fd: number;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'block-worker-'));
  writeFileSync(join(folder, 'input'), LINES.join(''));
  fd = openSync(join(folder, 'input'), 'r');
});
afterAll(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

/** Runs the thread until no block is left. */
async function read(claims: BlockClaims, lacking: Int32Array): Promise<BlockMessage[]> {
  const given = givenArrays();
  const task: BlockTask = {
    ...{ engine: engineModule()!, fd, blockBytes: BLOCK_BYTES, claims: claims.words, given, lacking },
    ...{ width: 1, separator: ','.charCodeAt(0) },
  };
  const worker = new Worker(PROGRAM, { workerData: task });
  const messages: BlockMessage[] = [];
  worker.on('message', (message: BlockMessage) => {
    if (!isPiece(message)) messages.push(message);
    else {
      // It is filled again once it is given back.
      messages.push({ ...message, words: message.words.slice() });
      giveBack(given);
    }
  });
  await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  return messages;
}

const isPiece = (message: BlockMessage): message is NumberedPiece =>
  typeof message === 'object' && 'texts' in message;

/** Where the first line starts that does so at a place or after it. */
const lineAfter = (text: string, at: number): number => text.indexOf('\n', at - 1) + 1;

/** The lines that the rows of a piece were read from. */
function rowsOf({ words, ipv4 }: NumberedPiece, texts: readonly string[]): string {
  const lines = Array.from({ length: ipv4 }, (_, row) => {
    const [first, last, text, line] = words.subarray(4 * row, 4 * row + 4);
    return line === row + 1 ? `${first},${last}${texts[text!]}\n` : `line ${line} instead of ${row + 1}`;
  });
  return lines.join('');
}

/** Length and payload, then the bytes, up to the next multiple of four bytes. */
function textsOf(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const texts: string[] = [];
  for (let at = 0; at < buffer.length;) {
    const end = at + 8 + buffer.readUInt32LE(at);
    texts.push(buffer.toString('latin1', at + 8, end));
    at = Math.ceil(end / 4) * 4;
  }
  return texts;
}

test('the thread reads what the main one has not claimed, but the first blocks and the last', async () => {
  const text = LINES.join('');
  const claims = BlockClaims.create(text.length, BLOCK_BYTES);
  const claimed = [9, 10, 20];
  for (const block of claimed) claims.claim(block);
  claims.claim(0);
  const messages = await read(claims, new Int32Array(new SharedArrayBuffer(4)).fill(2));
  const last = Math.ceil(text.length / BLOCK_BYTES) - 1;
  const blocks = Array.from({ length: last }, (_, block) => block).slice(FIRST);
  const others = blocks.filter((block) => !claimed.includes(block));
  expect(messages.filter((message) => typeof message === 'number')).toEqual(others);
  const texts: string[] = [];
  const pieces = messages.filter(isPiece).map((piece) => {
    texts.push(...textsOf(piece.texts));
    return [piece.from, rowsOf(piece, texts)];
  });
  const expected = others.map((block) => {
    const from = lineAfter(text, block * BLOCK_BYTES);
    return [from, text.slice(from, lineAfter(text, (block + 1) * BLOCK_BYTES))];
  });
  expect(pieces).toEqual(expected);
  expect(messages.filter((message) => message instanceof Uint32Array)).toHaveLength(2);
});
