import { InputFileError } from './file.errors.js';

/** What an input may be packed with that is not unpacked here, by its first bytes (in Latin-1), and what unpacks it. */
const PACKED = [
  { kind: 'compressed with bzip2', start: /^BZh[1-9]1AY&SY/, tool: 'bzip2 -dc' },
  { kind: 'compressed with xz', start: /^\xfd7zXZ\0/, tool: 'xz -dc' },
  { kind: 'compressed with zstd', start: /^\x28\xb5\x2f\xfd/, tool: 'zstd -dc' },
  { kind: 'a zip archive', start: /^PK\x03\x04/, tool: 'funzip' },
  { kind: 'gzipped', start: /^\x1f\x8b\x08/, tool: 'gzip -dc' },
];

/** Bytes that show how an input is packed. */
const START_BYTES = 10;

/** Where an input comes from, for the remedy. */
export interface CompressedInput {
  /** What stands for the file in messages. */
  readonly name: string;
  /** The command that has been done here already, such as `gzip -dc`; none for a file that was not packed. */
  readonly unpackedBy?: 'gzip -dc' | 'unzip -p';
  /** A pipe to the command, or a caller elsewhere: they know best how to unpack it. */
  readonly isSent: boolean;
}

/** Passes an input on, unless it is packed in a way that cannot be read. @throws {InputFileError} while iterated */
export async function* rejectCompressed(
  chunks: AsyncIterable<Uint8Array>,
  input: CompressedInput,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) {
      const start = Buffer.from(chunk.subarray(0, START_BYTES)).toString('latin1');
      const packed = PACKED.find((known) => known.start.test(start));
      if (packed !== undefined) throw new InputFileError(refusal(packed, input));
      isFirst = false;
    }
    yield chunk;
  }
}

function refusal(
  { kind, tool }: (typeof PACKED)[number],
  { name, unpackedBy, isSent }: CompressedInput,
): string {
  const what = unpackedBy === undefined ? `${name} is ${kind}` : `the content of ${name} is ${kind} itself`;
  if (isSent) return `${what}: unpack it first (${tool})`;
  const pipe = unpackedBy === undefined ? `${tool} ${name}` : `${unpackedBy} ${name} | ${tool}`;
  return `${what}: unpack it on the way: ${pipe} | svccmd ... -`;
}
