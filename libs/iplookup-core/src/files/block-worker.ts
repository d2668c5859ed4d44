import { parentPort, workerData } from 'node:worker_threads';
import { useEngineModule } from '../scan/engine.js';
import type { NumberedPiece } from '../scan/numbered-rows.js';
import { RowNumberer } from '../scan/row-numberer.js';
import { ARRAY_WORDS } from '../scan/spare-words.js';
import { BlockClaims } from './block-claims.js';
import { BlockNumberer } from './block-numberer.js';
import { SharedArrays } from './shared-arrays.js';

/** What the thread is given. */
export interface BlockTask {
  /** The compiled engine. */
  readonly engine: object;
  /** The open input file. */
  readonly fd: number;
  readonly blockBytes: number;
  /** See {@link BlockClaims}. */
  readonly claims: Int32Array;
  /** See {@link SharedArrays}. */
  readonly given: Int32Array;
  /** Number of arrays that the main thread lacks for the tree. */
  readonly lacking: Int32Array;
  /** Words per address. */
  readonly width: 1 | 4;
  readonly separator: number;
}

/**
 * A piece of the file, in file order; the number of a block of which no further ones follow; or memory that the system has
 * cleared.
 */
export type BlockMessage = NumberedPiece | number | Uint32Array;

const PAGE_WORDS = 1024;

const { engine, fd, blockBytes, claims: words, given, lacking, width, separator } = workerData as BlockTask;
const port = parentPort!;
const claims = new BlockClaims(words, blockBytes);
const arrays = new SharedArrays(given);
useEngineModule(engine);
const numberer = RowNumberer.start(width, separator);

if (numberer !== undefined) run(new BlockNumberer(numberer, fd, blockBytes));

function run(reader: BlockNumberer): void {
  for (let block; (block = claims.claimNext()) !== undefined;) {
    for (let lacks = Atomics.exchange(lacking, 0, 0); lacks > 0; lacks--) post(clearedArray());
    for (const piece of reader.pieces(block, (size) => arrays.take(size))) {
      arrays.passed(piece.words);
      post(piece, [piece.texts.buffer as ArrayBuffer]);
    }
    post(block);
  }
}

function post(message: BlockMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** Memory whose pages are no longer new to the process, which takes the system long. */
function clearedArray(): Uint32Array {
  const array = SharedArrays.create(ARRAY_WORDS);
  for (let at = 0; at < array.length; at += PAGE_WORDS) array[at] = 1;
  return array;
}
