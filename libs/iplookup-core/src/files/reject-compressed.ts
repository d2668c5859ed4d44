import { InputFileError } from './file.errors.js';

/** Unsupported compression formats by their first bytes (in Latin-1), and the tools that decompress them. */
const PACKED = [
  { kind: 'compressed with bzip2', start: /^BZh[1-9]1AY&SY/, tool: 'bzip2 -dc' },
  { kind: 'compressed with xz', start: /^\xfd7zXZ\0/, tool: 'xz -dc' },
  { kind: 'compressed with zstd', start: /^\x28\xb5\x2f\xfd/, tool: 'zstd -dc' },
  { kind: 'a zip archive', start: /^PK\x03\x04/, tool: 'funzip' },
  { kind: 'gzipped', start: /^\x1f\x8b\x08/, tool: 'gzip -dc' },
];

/** Bytes needed to recognize the compression. */
export const START_BYTES = 10;

/** The input's origin, which determines the remedy. */
export interface CompressedInput {
  /** Name for messages. */
  readonly name: string;
  /** The equivalent of the decompression already done, if any. */
  readonly unpackedBy?: 'gzip -dc' | 'unzip -p';
  /** True for a pipe or an upload, which the sender must decompress. */
  readonly isSent: boolean;
}

/** Passes an input on unless its compression is unsupported. @throws {InputFileError} on iteration */
export async function* rejectCompressed(
  chunks: AsyncIterable<Uint8Array>,
  input: CompressedInput,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) {
      const packed = packedAs(chunk);
      if (packed !== undefined) throw new InputFileError(refusal(packed, input));
      isFirst = false;
    }
    yield chunk;
  }
}

/** How a file with these first bytes is compressed, if it is. */
export function packedAs(bytes: Uint8Array): (typeof PACKED)[number] | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1');
  return PACKED.find((known) => known.start.test(start));
}

function refusal(
  { kind, tool }: (typeof PACKED)[number],
  { name, unpackedBy, isSent }: CompressedInput,
): string {
  const what = unpackedBy === undefined ? `${name} is ${kind}` : `the content of ${name} is ${kind} itself`;
  if (isSent) return `${what}: unpack it first (${tool})`;
  const pipe = unpackedBy === undefined ? `${tool} ${name}` : `${unpackedBy} ${name} | ${tool}`;
  return `${what}: decompress it on the fly: ${pipe} | svccmd ... -`;
}
