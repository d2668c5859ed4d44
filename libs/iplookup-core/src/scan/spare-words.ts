import { mappedWords } from '../rows/mapped-words.js';

/** Size of new arrays, in words; smaller ones are not used. */
export const ARRAY_WORDS = 1 << 16;

/** Arrays that are used again: memory that is new to a process takes long, since the system clears it first. */
export class SpareWords {
  private readonly arrays: Uint32Array[] = [];
  /** What is left of the last array. */
  private rest: Uint32Array = new Uint32Array(0);

  /** Number of arrays. */
  get count(): number {
    return this.arrays.length;
  }

  add(words: Uint32Array): void {
    if (words.length >= ARRAY_WORDS) this.arrays.push(words);
  }

  /** @returns words with any content, at most as many as a new array has */
  take(count: number): Uint32Array {
    if (this.rest.length < count) this.rest = this.arrays.pop() ?? mappedWords(ARRAY_WORDS);
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    return taken;
  }
}
