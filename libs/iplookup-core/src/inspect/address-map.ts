/** A stretch of addresses to be drawn, cut into cells that are networks of equal size. */
export interface MapFrame {
  readonly family: 4 | 6;
  /** The stretch as a network. */
  readonly network: string;
  /** Prefix length of the network, and its bits. */
  readonly length: number;
  readonly prefix: number;
  /** Bits that number the cells within: the prefix length of a cell is `length + cellBits`. An even number. */
  readonly cellBits: number;
  /** The same for the larger blocks that carry a label. */
  readonly labelBits: number;
}

/** All of IPv4, a cell being a /16 and a labelled block a /8. */
export const IPV4_FRAME: MapFrame = {
  family: 4,
  network: '0.0.0.0/0',
  length: 0,
  prefix: 0,
  cellBits: 16,
  labelBits: 8,
};

/** What of IPv6 is given out (RFC 4291, global unicast), a cell being a /15 and a labelled block a /7. */
export const IPV6_FRAME: MapFrame = {
  family: 6,
  network: '2000::/3',
  length: 3,
  prefix: 1,
  cellBits: 12,
  labelBits: 4,
};

/** What is known of each cell of a frame: which group has most of it, and how much of it all groups have. */
export class AddressMap {
  /** The group, or -1 for a cell of which nothing is known. */
  readonly group: Int32Array;
  /** From 0 to 1. */
  readonly covered: Float64Array;
  private cell = 0;
  /** The part of the current cell that each group has. */
  private readonly parts = new Map<number, number>();

  constructor(readonly frame: MapFrame) {
    this.group = new Int32Array(1 << frame.cellBits).fill(-1);
    this.covered = new Float64Array(1 << frame.cellBits);
  }

  /** Adds a network; networks come in rising order. @param address its first word counts */
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

  /** Call when all networks were added. */
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
