import { createGunzip } from 'node:zlib';
import { decompress, UNPACKED_CHUNK } from './decompress.js';
import { expansionError, RATIO_FREE_BYTES } from './expansion-error.js';
import { InputFileError } from './file.errors.js';
import { type InputFile, openRegularFile, type OpenRules } from './open-regular-file.js';
import { packedAs, rejectCompressed, START_BYTES } from './reject-compressed.js';

const CHUNK_BYTES = 1 << 20;

/** Decompression limits for untrusted input. */
export interface InputLimits {
  readonly maxBytes: number;
  /** Maximum compression ratio. */
  readonly maxRatio: number;
}

/** How an input is opened. */
export interface InputRules extends OpenRules {
  /** Default: no limits. */
  readonly limits?: InputLimits | undefined;
  /** Which file to open if the path is a zip archive. Default: the only CSV file. */
  readonly entry?: string | undefined;
  /** Read if the path is `-`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
}

/**
 * Opens a CSV file, which may be gzipped or in a zip archive together with other kinds of files. The compression is
 * detected from the content, not the name.
 *
 * @param path the file, or `-` for standard input
 * @throws {InputFileError} if it cannot be read, or, while read, goes beyond the limits
 */
export async function openInput(
  path: string,
  { limits, stdin, ...rules }: InputRules = {},
): Promise<InputFile> {
  // What has limits was not named on a command line, where its content could be piped in.
  const input =
    path === '-' ? openStandardInput(stdin) : await openUnlimited(path, rules, limits !== undefined);
  return limits === undefined ? input : { ...input, content: limited(rules.name ?? path, input, limits) };
}

async function openUnlimited(
  path: string,
  { entry: wanted, ...rules }: OpenRules & Pick<InputRules, 'entry'>,
  isSent: boolean,
): Promise<InputFile> {
  const { size, head } = await look(path, rules);
  const name = rules.name ?? path;
  if (isZip(head)) {
    const { openZipEntry } = await import('./open-zip-entry.js');
    const entry = await openZipEntry(path, size, { ...rules, entry: wanted });
    return { ...entry, content: rejectCompressed(entry.content, { name, unpackedBy: 'unzip -p', isSent }) };
  }
  const file = openPlain(path, size, rules);
  if (!head.startsWith('1f8b')) {
    const content = rejectCompressed(file.content, { name, isSent });
    const isPlain = packedAs(Buffer.from(head, 'hex')) === undefined;
    return { ...file, ...(isPlain && { plain: { path, rules } }), content };
  }
  const unpacked = gunzip(name, file.content);
  return { ...file, content: rejectCompressed(unpacked, { name, unpackedBy: 'gzip -dc', isSent }) };
}

function isZip(head: string): boolean {
  return head.startsWith('504b0304') || head.startsWith('504b0506');
}

/**
 * Paths of the files in a zip archive.
 *
 * @returns undefined for a file that is none
 * @throws {InputFileError} if it cannot be read
 */
export async function listArchive(path: string, rules: OpenRules = {}): Promise<string[] | undefined> {
  const { head } = await look(path, rules);
  if (!isZip(head)) return undefined;
  const { listZipEntries } = await import('./open-zip-entry.js');
  return listZipEntries(path, rules);
}

/** Alternates between two buffers, one being filled while the other is used, to avoid allocating one per chunk. */
function openPlain(path: string, size: number, rules: OpenRules): InputFile {
  let total = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    const file = await openRegularFile(path, rules);
    const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const;
    const read = (turn: number) => file.read(buffers[turn & 1]!, 0, CHUNK_BYTES, null);
    let pending = read(0);
    try {
      for (let turn = 0; ; turn++) {
        const { buffer, bytesRead } = await pending;
        if (bytesRead === 0) return;
        pending = read(turn + 1);
        total += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } catch (error) {
      throw InputFileError.from(rules.name ?? path, error);
    } finally {
      await pending.catch(() => undefined);
      await file.close();
    }
  }
  return { size, bytesRead: () => total, entryName: undefined, content: content() };
}

async function* limited(name: string, input: InputFile, limits: InputLimits): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of input.content) {
    bytes += chunk.length;
    const ratio = bytes / Math.max(1, input.bytesRead());
    if (bytes > limits.maxBytes)
      throw new InputFileError(`${name} contains more than ${limits.maxBytes} bytes of text`);
    if (bytes > RATIO_FREE_BYTES && ratio > limits.maxRatio) throw expansionError(name, limits.maxRatio);
    yield chunk;
  }
}

async function look(path: string, rules: OpenRules): Promise<{ size: number; head: string }> {
  const file = await openRegularFile(path, rules);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return { size, head: buffer.toString('hex', 0, bytesRead) };
  } catch (error) {
    throw InputFileError.from(rules.name ?? path, error);
  } finally {
    await file.close();
  }
}

/** @throws {InputFileError} if there is none */
function openStandardInput(stdin: AsyncIterable<Uint8Array> | undefined): InputFile {
  if (stdin === undefined) throw new InputFileError('standard input cannot be read here');
  const source = stdin[Symbol.asyncIterator]();
  let bytesRead = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    const first = await source.next();
    const rest = async function* (): AsyncGenerator<Uint8Array> {
      if (first.done) return;
      bytesRead += first.value.length;
      yield first.value;
      for (let next = await source.next(); !next.done; next = await source.next()) {
        bytesRead += next.value.length;
        yield next.value;
      }
    };
    const head = first.done ? [] : first.value;
    if (head[0] === 0x50 && head[1] === 0x4b) {
      throw new InputFileError('standard input is a zip archive: pass its file name instead');
    }
    const zipped = head[0] === 0x1f && head[1] === 0x8b;
    yield* zipped ? gunzip('standard input', rest()) : rest();
  }
  const checked = rejectCompressed(content(), { name: 'standard input', isSent: true });
  return { size: undefined, bytesRead: () => bytesRead, entryName: undefined, content: checked };
}

async function* gunzip(name: string, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* decompress(packed, createGunzip(UNPACKED_CHUNK));
  } catch (error) {
    throw InputFileError.from(name, error);
  }
}
