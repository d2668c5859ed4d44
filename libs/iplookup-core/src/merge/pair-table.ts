/**
 * Numbers by pairs of numbers: a hash table with open addressing. Nested `Map`s take several times the memory, and make V8
 * double the space for its young objects.
 */
export class PairTable {
  /** Random, so that no input can be made of pairs that share a slot. */
  private readonly seed = Math.floor(Math.random() * 2 ** 32);
  private size = 0;
  /** By slot: the first number plus one, 0 if free, then the second; at most half of the slots are used. */
  private keys = new Int32Array(1 << 9);
  private values = new Int32Array(1 << 8);

  /** @returns undefined for a pair that was not set */
  get(first: number, second: number): number | undefined {
    const slot = this.slotOf(first, second);
    return this.keys[2 * slot] === 0 ? undefined : this.values[slot];
  }

  /** All numbers must be below 2^31 - 1. */
  set(first: number, second: number, value: number): void {
    const slot = this.slotOf(first, second);
    if (this.keys[2 * slot] === 0) this.size++;
    this.keys[2 * slot] = first + 1;
    this.keys[2 * slot + 1] = second;
    this.values[slot] = value;
    if (this.size * 2 > this.values.length) this.grow();
  }

  /** Where the pair is, or belongs. */
  private slotOf(first: number, second: number): number {
    const { keys } = this;
    const mask = this.values.length - 1;
    let hash = Math.imul(first ^ this.seed, 0x9e37_79b1) ^ second;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (keys[2 * slot] !== 0 && (keys[2 * slot] !== first + 1 || keys[2 * slot + 1] !== second))
      slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Int32Array(keys.length * 2);
    this.values = new Int32Array(values.length * 2);
    this.size = 0;
    for (const [slot, value] of values.entries())
      if (keys[2 * slot] !== 0) this.set(keys[2 * slot]! - 1, keys[2 * slot + 1]!, value);
  }
}
