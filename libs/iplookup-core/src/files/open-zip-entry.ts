import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { InputFileError } from './input-file.error.js';
import type { InputFile } from './open-input.js';

/**
 * Opens the one CSV file of a zip archive.
 *
 * @param size of the archive in bytes
 * @throws {InputFileError} when there is none or more than one, or the archive is damaged
 */
export async function openZipEntry(path: string, size: number): Promise<InputFile> {
  try {
    const archive = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
    const entry = await onlyCsv(archive, path);
    if (entry.isEncrypted()) throw new InputFileError(`${path} is encrypted: unpack it first`);
    const stream = await archive.openReadStreamPromise(entry);
    let bytesRead = 0;
    async function* content(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of checked(path, entry, stream)) {
          bytesRead += chunk.length;
          yield chunk;
        }
      } finally {
        archive.close();
      }
    }
    const ratio = entry.uncompressedSize === 0 ? 1 : size / entry.uncompressedSize;
    return {
      size,
      bytesRead: () => Math.floor(bytesRead * ratio),
      entryName: entry.fileName,
      content: content(),
    };
  } catch (error) {
    throw InputFileError.from(path, error);
  }
}

async function onlyCsv(archive: yauzl.ZipFile, path: string): Promise<yauzl.Entry> {
  const found: yauzl.Entry[] = [];
  archive.on('entry', (entry: yauzl.Entry) => {
    if (/\.csv$/i.test(entry.fileName) && !/(^|\/)(__MACOSX\/|\.)/.test(entry.fileName)) found.push(entry);
    archive.readEntry();
  });
  const end = once(archive, 'end');
  archive.readEntry();
  await end;
  const [entry, another] = found;
  if (entry === undefined) throw new InputFileError(`${path} holds no .csv file`);
  if (another !== undefined) {
    throw new InputFileError(`${path} holds ${found.length} .csv files: unpack the one that is meant`);
  }
  return entry;
}

/** The entry's content; sizes are checked by yauzl, the checksum here. */
async function* checked(path: string, entry: yauzl.Entry, stream: Readable): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const chunk of stream) {
      sum = crc32(chunk as Uint8Array, sum);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw InputFileError.from(path, error);
  }
  if (sum !== entry.crc32)
    throw new InputFileError(`${path} is damaged: the checksum of ${entry.fileName} is wrong`);
}
