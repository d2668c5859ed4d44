/** An input file, open for reading once. */
export interface InputFile {
  /** Bytes of the file as it lies on disk, where that is known: to measure progress by. */
  readonly size: number | undefined;
  /** Bytes of these read so far. */
  readonly bytesRead: () => number;
  /** Name of the CSV file in an archive. */
  readonly entryName: string | undefined;
  /** The CSV text's bytes; each chunk holds until the next one is asked for. @throws {InputFileError} while iterated */
  readonly content: AsyncIterable<Uint8Array>;
}
