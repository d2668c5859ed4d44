/** The length, and the header, which the driver has already read. */
const HEADER_BYTES = 4 + 16;
/** czxid, mzxid, ctime, mtime; three versions; ephemeralOwner; dataLength, numChildren; pzxid. */
const STAT_BYTES = 68;
const VERSION_AT = 32;
const OWNER_AT = 44;
const CHILD_COUNT_AT = 56;

/** The fields of a node's `Stat` used here. */
export interface NodeStat {
  readonly version: number;
  readonly childCount: number;
  /** True if the node belongs to a session, and vanishes with it. */
  readonly isEphemeral: boolean;
}

/** Decodes a reply's fields in sequence. */
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

  /** A view of the frame, not a copy; empty for a node created without data. */
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
      isEphemeral: this.frame.readBigInt64BE(start + OWNER_AT) !== 0n,
    };
  }
}
