import { type BuildGuess, guessBuild } from '../guess/guess-build.js';
import { type InputRules, openInput } from './open-input.js';

/** Enough rows to tell one format from another. */
const SAMPLE_BYTES = 1 << 20;

const LF = 10;

/**
 * Guesses how to build a lookup from a CSV file, which may be gzipped or zipped, from its first rows.
 *
 * @param path the file, or `-` for standard input
 * @throws {InputFileError} if it cannot be read
 * @throws {LookupInputError} if no options read its rows
 */
export async function guessInputFile(path: string, rules: InputRules = {}): Promise<BuildGuess> {
  const { content, entryName } = await openInput(path, rules);
  const pieces: Buffer[] = [];
  let length = 0;
  let isWhole = true;
  for await (const piece of content) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    isWhole = length < SAMPLE_BYTES;
    if (!isWhole) break;
  }
  const sample = Buffer.concat(pieces);
  return guessBuild(isWhole ? sample : sample.subarray(0, sample.lastIndexOf(LF) + 1), path, entryName);
}
