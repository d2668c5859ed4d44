const PAGE_BITS = 14;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** 32-bit numbers by their offset in a data section; a `Map` takes ten times as long where most addresses have one. */
export class OffsetTable {
  private readonly pages: (Int32Array | undefined)[] = [];

  /** @returns 0 for an offset that was not set */
  get(offset: number): number {
    const page = this.pages[offset >>> PAGE_BITS];
    return page === undefined ? 0 : page[offset & PAGE_MASK]!;
  }

  set(offset: number, value: number): void {
    const page = (this.pages[offset >>> PAGE_BITS] ??= new Int32Array(1 << PAGE_BITS));
    page[offset & PAGE_MASK] = value;
  }
}
