/** The blocks of a file that two threads read: which is free, and how far the main one is. */

/** At least one row starts in a block of most files; and the engine has room for one. */
export const BLOCK_BYTES = 1 << 20;

/** How many blocks ahead of the main thread the other one resumes when it is no longer far enough ahead. */
const GAP = 7;

const FREE = 0;
const TAKEN = 1;

/** Words before those of the blocks. */
const MAIN_BLOCK = 0;
const HEAD = 1;

/** Claims on blocks, by number. Shared between threads. Where the main one is, is known from its last attempt to claim one. */
export class BlockClaims {
  private last = -1;

  constructor(
    readonly words: Int32Array,
    readonly blockBytes: number,
  ) {}

  static create(bytes: number, blockBytes: number): BlockClaims {
    const blocks = Math.ceil(bytes / blockBytes);
    return new BlockClaims(new Int32Array(new SharedArrayBuffer(4 * (HEAD + blocks))), blockBytes);
  }

  /** Claims a block for the main thread. @returns false if it is the other one's */
  claim(block: number): boolean {
    Atomics.store(this.words, MAIN_BLOCK, block);
    return Atomics.compareExchange(this.words, HEAD + block, FREE, TAKEN) === FREE;
  }

  /**
   * Claims a block for the other thread, ahead of the main one, which can then read those in between instead of waiting.
   *
   * @returns `undefined` if none is left
   */
  claimNext(): number | undefined {
    const { words } = this;
    const main = Atomics.load(words, MAIN_BLOCK);
    let block = this.last + 1 - main < GAP - 1 ? main + GAP : this.last + 1;
    // The last block may end without a line feed.
    for (; HEAD + block < words.length - 1; block++) {
      if (Atomics.compareExchange(words, HEAD + block, FREE, TAKEN) !== FREE) continue;
      this.last = block;
      return block;
    }
    return undefined;
  }
}
