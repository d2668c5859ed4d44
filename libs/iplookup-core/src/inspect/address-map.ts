/** An address range to draw, divided into cells that are networks of equal size. */
export interface MapFrame {
  readonly family: 4 | 6;
  /** The range as a network. */
  readonly network: string;
  /** Prefix length of the network, and its bits. */
  readonly length: number;
  readonly prefix: number;
  /** Bits that number the cells; a cell's prefix length is `length + cellBits`. Must be even. */
  readonly cellBits: number;
  /** The same for labelled blocks. */
  readonly labelBits: number;
}

/** All of IPv4, with /16 cells and labelled /8 blocks. */
export const IPV4_FRAME: MapFrame = {
  family: 4,
  network: '0.0.0.0/0',
  length: 0,
  prefix: 0,
  cellBits: 16,
  labelBits: 8,
};

/** IPv6 global unicast (RFC 4291), with /15 cells and labelled /7 blocks. */
export const IPV6_FRAME: MapFrame = {
  family: 6,
  network: '2000::/3',
  length: 3,
  prefix: 1,
  cellBits: 12,
  labelBits: 4,
};

/** Each cell's largest group, and the share covered by all groups. */
export class AddressMap {
  /** The largest group, or -1 for an empty cell. */
  readonly group: Int32Array;
  /** From 0 to 1. */
  readonly covered: Float64Array;
  private cell = 0;
  /** Each group's share of the current cell. */
  private readonly parts = new Map<number, number>();

  constructor(readonly frame: MapFrame) {
    this.group = new Int32Array(1 << frame.cellBits).fill(-1);
    this.covered = new Float64Array(1 << frame.cellBits);
  }

  /** Adds a network, in ascending order. @param address only its first word is used */
  add(address: Uint32Array, length: number, group: number): void {
    const { frame } = this;
    const cellLength = frame.length + frame.cellBits;
    const first = (address[0]! >>> (32 - cellLength)) - frame.prefix * 2 ** frame.cellBits;
    if (first < 0 || first >= this.group.length) return;
    if (first !== this.cell) this.finish();
    this.cell = first;
    if (length > cellLength) {
      this.parts.set(group, (this.parts.get(group) ?? 0) + 2 ** (cellLength - length));
      return;
    }
    const last = Math.min(this.group.length, first + 2 ** (cellLength - length));
    this.group.fill(group, first, last);
    this.covered.fill(1, first, last);
  }

  /** Must be called after the last network. */
  finish(): void {
    let most = 0;
    for (const [group, part] of this.parts) {
      this.covered[this.cell]! += part;
      if (part > most) this.group[this.cell] = group;
      most = Math.max(most, part);
    }
    this.parts.clear();
  }
}
