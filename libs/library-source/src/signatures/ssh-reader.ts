/**
 * Reads values in SSH's encoding.
 *
 * @see RFC 4251 section 5
 */
export class SshReader {
  private pos = 0;

  constructor(private readonly data: Buffer) {}

  /** @throws {RangeError} if the data ends before */
  bytes(count: number): Buffer {
    const end = this.pos + count;
    if (end > this.data.length) throw new RangeError('it ends within a value');
    const bytes = this.data.subarray(this.pos, end);
    this.pos = end;
    return bytes;
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  string(): Buffer {
    return this.bytes(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** A positive integer, big-endian, without leading zeros. */
  integer(): Buffer {
    const bytes = this.string();
    if ((bytes[0] ?? 0x80) >= 0x80) throw new RangeError('a number is not positive');
    const first = bytes.findIndex((byte) => byte !== 0);
    return bytes.subarray(first < 0 ? bytes.length : first);
  }

  /** @throws {RangeError} if anything follows */
  end(): void {
    if (this.pos !== this.data.length) throw new RangeError('something follows its last value');
  }
}

/** Encodes a string, the reverse of {@link SshReader.string}. */
export function sshString(data: string | Uint8Array): Buffer {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
