import { ByteTable } from '../values/byte-table.js';
import { Uint32List } from '../values/uint32-list.js';

/** The texts that are remembered take at most this much memory. */
const MAX_BYTES = 192 << 20;

/** Payloads of rows by the text of their values, as it stands in the file. */
export class KnownValues {
  private readonly texts = new ByteTable();
  private readonly payloads = new Uint32List();

  /** Reads ahead for {@link KnownValues.find} of the first `count` hashes. */
  approach(hashes: Uint32Array, count: number): void {
    this.texts.approach(hashes, count);
  }

  /** @returns the payload of a text whose hash is known, or -1 when the text is new */
  find(hash: number, view: DataView, start: number, end: number): number {
    const entry = this.texts.findHashed(hash, view, start, end);
    return entry < 0 ? -1 : this.payloads.at(entry);
  }

  /** Remembers the payload of a text that is new, as long as there is room. */
  keep(bytes: Uint8Array, view: DataView, start: number, end: number, payload: number): void {
    if (this.texts.byteLength > MAX_BYTES) return;
    const entry = this.texts.intern(bytes, view, start, end);
    if (entry === this.payloads.length) this.payloads.push(payload);
  }
}
