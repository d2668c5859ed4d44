import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { decompress, UNPACKED_CHUNK } from './decompress.js';
import { errorCode, InputFileError } from './file.errors.js';
import { type InputFile, openRegularFile, type OpenRules } from './open-regular-file.js';

/** Which file of an archive is opened. */
export interface EntryRules extends OpenRules {
  /** Its path in the archive. Default: the only CSV file. */
  readonly entry?: string | undefined;
}

/**
 * Opens a file in a zip archive.
 *
 * @param size of the archive in bytes
 * @throws {InputFileError} if there is none, or more than one, or if the archive is damaged
 */
export async function openZipEntry(
  path: string,
  size: number,
  { entry: wanted, ...rules }: EntryRules = {},
): Promise<InputFile> {
  const name = rules.name ?? path;
  const entry = await theEntry(path, rules, wanted);
  let bytesRead = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    const file = await openRegularFile(path, rules);
    try {
      for await (const chunk of checked(name, entry, unpacked(file, entry))) {
        bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw unreadable(name, error);
    } finally {
      await file.close();
    }
  }
  const ratio = entry.uncompressedSize === 0 ? 1 : size / entry.uncompressedSize;
  return {
    size,
    bytesRead: () => Math.floor(bytesRead * ratio),
    entryName: entry.fileName,
    content: content(),
  };
}

/** Paths of the files in a zip archive. @throws {InputFileError} if it is damaged, or has too many */
export async function listZipEntries(path: string, rules: OpenRules = {}): Promise<string[]> {
  return readArchive(path, rules, async (archive, name) => {
    const paths: string[] = [];
    await eachEntry(archive, ({ fileName }) => paths.push(fileName), name);
    return paths;
  });
}

/** The compression method of nearly all entries (APPNOTE.TXT, 4.4.5). */
const DEFLATED = 8;

/** An archive of a database has a dozen. */
const MAX_ENTRIES = 10_000;

async function theEntry(path: string, rules: OpenRules, wanted: string | undefined): Promise<yauzl.Entry> {
  return readArchive(path, rules, async (archive, name) => {
    const entry = await (wanted === undefined ? onlyCsv(archive, name) : namedEntry(archive, name, wanted));
    if (entry.isEncrypted()) throw new InputFileError(`${name} is encrypted: unpack it first`);
    return entry;
  });
}

async function readArchive<T>(
  path: string,
  rules: OpenRules,
  read: (archive: yauzl.ZipFile, name: string) => Promise<T>,
): Promise<T> {
  const name = rules.name ?? path;
  const file = await openRegularFile(path, rules);
  try {
    return await read(await archiveOf(file), name);
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    await file.close();
  }
}

function archiveOf(file: FileHandle): Promise<yauzl.ZipFile> {
  return yauzl.fromFdPromise(file.fd, { lazyEntries: true, autoClose: false });
}

async function onlyCsv(archive: yauzl.ZipFile, name: string): Promise<yauzl.Entry> {
  const found: yauzl.Entry[] = [];
  let packed: string | undefined;
  const look = (entry: yauzl.Entry): void => {
    if (/\.csv$/i.test(entry.fileName) && !/(^|\/)(__MACOSX\/|\.)/.test(entry.fileName)) found.push(entry);
    if (/\.(zip|gz|bz2|xz|zst)$/i.test(entry.fileName)) packed ??= entry.fileName;
  };
  await eachEntry(archive, look, name);
  const [entry, another] = found;
  if (entry === undefined) {
    const remedy =
      packed === undefined ? '' : `, but ${packed}, which is packed itself: unpack ${name} first`;
    throw new InputFileError(`${name} contains no .csv file${remedy}`);
  }
  if (another !== undefined) {
    throw new InputFileError(`${name} contains ${found.length} .csv files: unpack the one you want`);
  }
  return entry;
}

async function namedEntry(archive: yauzl.ZipFile, name: string, wanted: string): Promise<yauzl.Entry> {
  let found: yauzl.Entry | undefined;
  await eachEntry(archive, (entry) => (found = entry.fileName === wanted ? entry : found), name);
  if (found === undefined) throw new InputFileError(`${name} contains no ${wanted}`);
  return found;
}

async function eachEntry(
  archive: yauzl.ZipFile,
  look: (entry: yauzl.Entry) => void,
  name: string,
): Promise<void> {
  if (archive.entryCount > MAX_ENTRIES)
    throw new InputFileError(`${name} contains ${archive.entryCount} files: unpack the one you want`);
  archive.on('entry', (entry: yauzl.Entry) => {
    look(entry);
    archive.readEntry();
  });
  const end = once(archive, 'end');
  archive.readEntry();
  await end;
}

async function* unpacked(file: FileHandle, entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
  const archive = await archiveOf(file);
  // yauzl would decompress it in chunks of 16 kB, which takes twice as long.
  const isDeflated = entry.compressionMethod === DEFLATED;
  const packed = await archive.openReadStreamPromise(entry, isDeflated ? { decompress: false } : {});
  try {
    yield* isDeflated ? decompress(packed, createInflateRaw(UNPACKED_CHUNK)) : packed;
  } finally {
    packed.destroy();
  }
}

/** Checks the size and checksum of an entry's content. */
async function* checked(
  name: string,
  entry: yauzl.Entry,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let sum = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > entry.uncompressedSize) break;
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  if (size !== entry.uncompressedSize)
    throw new InputFileError(
      `${name} is damaged: the size of ${entry.fileName} differs from what the archive says`,
    );
  if (sum !== entry.crc32)
    throw new InputFileError(`${name} is damaged: the checksum of ${entry.fileName} is wrong`);
}

/** Converts yauzl's errors, which have no code, as well as system and zlib errors. */
function unreadable(name: string, error: unknown): InputFileError {
  if (error instanceof InputFileError || errorCode(error) !== '') return InputFileError.from(name, error);
  const isOfAnotherKind = /unsupported|encryption|multi-disk/i.test((error as Partial<Error>).message ?? '');
  const reason = isOfAnotherKind
    ? 'is an unsupported kind of zip archive: unpack it first'
    : 'is damaged or truncated: it is not a complete zip archive';
  return new InputFileError(`${name} ${reason}`, { cause: error });
}
