import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { errorCode, InputFileError } from './file.errors.js';
import { type InputFile, openRegularFile, type OpenRules } from './open-regular-file.js';

/**
 * Opens the only CSV file in a zip archive.
 *
 * @param size of the archive in bytes
 * @throws {InputFileError} unless there is exactly one, or if the archive is damaged
 */
export async function openZipEntry(path: string, size: number, rules: OpenRules = {}): Promise<InputFile> {
  const name = rules.name ?? path;
  const entry = await theEntry(path, rules);
  let bytesRead = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    const file = await openRegularFile(path, rules);
    try {
      const stream = await (await archiveOf(file)).openReadStreamPromise(entry);
      for await (const chunk of checked(name, entry, stream)) {
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

async function theEntry(path: string, rules: OpenRules): Promise<yauzl.Entry> {
  const name = rules.name ?? path;
  const file = await openRegularFile(path, rules);
  try {
    const entry = await onlyCsv(await archiveOf(file), name);
    if (entry.isEncrypted()) throw new InputFileError(`${name} is encrypted: unpack it first`);
    return entry;
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
  archive.on('entry', (entry: yauzl.Entry) => {
    if (/\.csv$/i.test(entry.fileName) && !/(^|\/)(__MACOSX\/|\.)/.test(entry.fileName)) found.push(entry);
    if (/\.(zip|gz|bz2|xz|zst)$/i.test(entry.fileName)) packed ??= entry.fileName;
    archive.readEntry();
  });
  const end = once(archive, 'end');
  archive.readEntry();
  await end;
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

/** The entry's content. yauzl checks the size, this function the checksum. */
async function* checked(name: string, entry: yauzl.Entry, stream: Readable): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const chunk of stream) {
      sum = crc32(chunk as Uint8Array, sum);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
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
