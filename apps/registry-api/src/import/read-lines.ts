import type { FileHandle } from 'node:fs/promises';

/** A line that is not blank. */
export interface Line {
  /** Counted from 1, blank ones too. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** Longer ones are no Client; they come cut, with one byte more than this. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** What is read at once: an import needs the same memory however long the file is. */
const CHUNK_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;

/** The lines of a file in batches: at most so many lines, and no more than about a line's limit of bytes. */
export async function* readLines(file: FileHandle, maxLines: number): AsyncGenerator<Line[], void> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const line of linesOf(file)) {
    if (isBlank(line)) continue;
    batch.push(line);
    bytes += line.bytes.length;
    if (batch.length < maxLines && bytes < MAX_LINE_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf(file: FileHandle): AsyncGenerator<Line, void> {
  let number = 1;
  /** Of the line that is not at its end yet. */
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield { number, bytes: joined([...parts, chunk.subarray(start, end)]) };
      [number, parts, length, start] = [number + 1, [], 0, end + 1];
    }
    const rest = chunk.subarray(start);
    if (length <= MAX_LINE_BYTES) parts.push(rest);
    length += rest.length;
  }
  yield { number, bytes: joined(parts) };
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer, void> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0), ...others] = parts;
  const line = others.length === 0 ? first : Buffer.concat(parts);
  return line.subarray(0, MAX_LINE_BYTES + 1);
}

function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
