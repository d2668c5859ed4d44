/** Length; then transaction, time and error, which the driver has read. */
const HEADER_BYTES = 4 + 16;
/** Four times and transactions, three versions, the owner, two counts, one more transaction. */
const STAT_BYTES = 68;
const VERSION_AT = 32;
const CHILD_COUNT_AT = 56;

/** The part of a node's `Stat` that is of use. */
export interface NodeStat {
  readonly version: number;
  readonly childCount: number;
}

/** Reads a reply's fields one after the other. */
export class WireReply {
  private pos = HEADER_BYTES;

  constructor(private readonly frame: Buffer) {}

  int(): number {
    const value = this.frame.readInt32BE(this.pos);
    this.pos += 4;
    return value;
  }

  bool(): boolean {
    return this.frame[this.pos++] === 1;
  }

  /** Part of the frame, without a copy; a node that was created without data has none. */
  data(): Buffer {
    const length = Math.max(0, this.int());
    const start = this.pos;
    this.pos += length;
    if (this.pos > this.frame.length) throw new RangeError('the reply is cut short');
    return this.frame.subarray(start, this.pos);
  }

  text(): string {
    return this.data().toString('utf8');
  }

  stat(): NodeStat {
    const start = this.pos;
    this.pos += STAT_BYTES;
    return {
      version: this.frame.readInt32BE(start + VERSION_AT),
      childCount: this.frame.readInt32BE(start + CHILD_COUNT_AT),
    };
  }
}
