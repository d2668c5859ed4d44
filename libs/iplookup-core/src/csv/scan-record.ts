/** The bounds of a CSV record's fields in their buffer, without quotes. */
export class FieldBounds {
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** 1 if the field contains doubled quotes. */
  escaped = new Uint8Array(64);

  add(start: number, end: number, escaped: number): void {
    if (this.count === this.starts.length) this.grow();
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.escaped[this.count++] = escaped;
  }

  private grow(): void {
    const size = this.count * 2;
    const [starts, ends, escaped] = [new Int32Array(size), new Int32Array(size), new Uint8Array(size)];
    starts.set(this.starts);
    ends.set(this.ends);
    escaped.set(this.escaped);
    this.starts = starts;
    this.ends = ends;
    this.escaped = escaped;
  }
}

/** The buffer ends before the record. */
export const INCOMPLETE = -1;

/** The buffer ends within a quoted field. */
export const UNCLOSED_QUOTE = -2;

/** Something other than a separator or a line break follows a closing quote. */
export const TEXT_AFTER_QUOTE = -3;

const QUOTE = 34;
const LF = 10;
const CR = 13;

/**
 * Finds the fields of one RFC 4180 record. Beyond the RFC, a lone LF ends a record, and quotes inside unquoted fields
 * are literal. Empty and quoted fields keep their spaces.
 *
 * @param end where the buffer's content ends
 * @param final true if the input ends at `end`, which then also ends the record
 * @returns where the next record starts, or an error code
 */
export function scanRecord(
  bytes: Uint8Array,
  start: number,
  end: number,
  final: boolean,
  separator: number,
  fields: FieldBounds,
): number {
  fields.count = 0;
  for (let p = start; ;) {
    const after =
      bytes[p] === QUOTE && p < end ? quoted(bytes, p, end, fields) : plain(bytes, p, end, separator, fields);
    if (after === UNCLOSED_QUOTE) return UNCLOSED_QUOTE;
    if (after >= end) return final ? end : INCOMPLETE;
    const byte = bytes[after];
    if (byte === LF) return after + 1;
    if (byte === separator) p = after + 1;
    else if (byte !== CR) return TEXT_AFTER_QUOTE;
    else if (after + 1 >= end) return final ? end : INCOMPLETE;
    else return bytes[after + 1] === LF ? after + 2 : TEXT_AFTER_QUOTE;
  }
}

function quoted(bytes: Uint8Array, start: number, end: number, fields: FieldBounds): number {
  let escaped = 0;
  for (let p = start + 1; p < end; p++) {
    if (bytes[p] !== QUOTE) continue;
    if (bytes[p + 1] !== QUOTE || p + 1 >= end) {
      fields.add(start + 1, p, escaped);
      return p + 1;
    }
    escaped = 1;
    p++;
  }
  return UNCLOSED_QUOTE;
}

/** An unquoted field; a CR belongs to it unless LF follows. */
function plain(
  bytes: Uint8Array,
  start: number,
  end: number,
  separator: number,
  fields: FieldBounds,
): number {
  let p = start;
  while (p < end && bytes[p] !== separator && bytes[p] !== LF) p++;
  const stop = p > start && bytes[p - 1] === CR && (p >= end || bytes[p] === LF) ? p - 1 : p;
  fields.add(start, stop, 0);
  return stop;
}
