/** Arrays that are on their way or not given back yet; more would only delay the end of a build that is stopped. */
const MAX_UNDER_WAY = 8;

/** Where the thread that fills arrays says whether it waits. */
const WAITS = 1;

/** What {@link SharedArrays} and {@link giveBack} share. */
export function givenArrays(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Arrays that one thread fills for another, which gives them back in the same order. */
export class SharedArrays {
  private readonly underWay: Uint32Array[] = [];
  private taken = 0;

  /** @param given counts the arrays given back, see {@link giveBack} */
  constructor(private readonly given: Int32Array) {}

  static create(words: number): Uint32Array {
    return new Uint32Array(new SharedArrayBuffer(words * Uint32Array.BYTES_PER_ELEMENT));
  }

  /** @returns an array with any content, for which it may wait */
  take(words: number): Uint32Array {
    const { given, taken, underWay } = this;
    if (underWay.length >= MAX_UNDER_WAY) {
      Atomics.store(given, WAITS, 1);
      Atomics.wait(given, 0, taken);
      Atomics.store(given, WAITS, 0);
    }
    if (Atomics.load(given, 0) === taken) return SharedArrays.create(words);
    this.taken++;
    const array = underWay.shift()!;
    return array.length === words ? array : this.take(words);
  }

  /** Notes that an array was passed on. */
  passed(words: Uint32Array): void {
    this.underWay.push(words);
  }
}

/** Gives one more array back, in the other thread. */
export function giveBack(given: Int32Array): void {
  Atomics.add(given, 0, 1);
  if (Atomics.load(given, WAITS) !== 0) Atomics.notify(given, 0);
}
