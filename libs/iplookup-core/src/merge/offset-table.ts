/** Numbers by their offset in a data section: a hash table with open addressing, which is faster and smaller than a `Map`. */
export class OffsetTable {
  private size = 0;
  /** Pairs of an offset plus one, 0 if free, and its number; at most half are used. */
  private slots = new Int32Array(1 << 13);
  private shift = 20;

  /** @returns 0 for an offset that was not set */
  get(offset: number): number {
    return this.slots[this.slotOf(offset) + 1]!;
  }

  /** @param value not 0 */
  set(offset: number, value: number): void {
    const slot = this.slotOf(offset);
    if (this.slots[slot] === 0) this.size++;
    this.slots[slot] = (offset + 1) | 0;
    this.slots[slot + 1] = value;
    if (this.size * 4 > this.slots.length) this.grow();
  }

  /** Where the offset is, or belongs. */
  private slotOf(offset: number): number {
    const { slots } = this;
    const key = (offset + 1) | 0;
    const mask = slots.length - 1;
    let slot = (Math.imul(key, 0x9e37_79b1) >>> this.shift) << 1;
    while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 2) & mask;
    return slot;
  }

  private grow(): void {
    const former = this.slots;
    this.slots = new Int32Array(former.length * 2);
    this.shift -= 1;
    this.size = 0;
    for (let slot = 0; slot < former.length; slot += 2)
      if (former[slot] !== 0) this.set(former[slot]! - 1, former[slot + 1]!);
  }
}
