import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { type BuildGuess, guessBuild, guessNetworkList } from '../guess/guess-build.js';
import { beginsLikeJson, hasNetworkComments, MAX_JSON_BYTES, NetworkList } from '../tables/network-list.js';
import { type InputRules, openInput } from './open-input.js';

/** Enough rows to tell one format from another. */
const SAMPLE_BYTES = 1 << 20;

const LF = 10;
const COMMA = 44;

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
    isWhole = length < (beginsLikeJson(pieces[0]!) ? MAX_JSON_BYTES : SAMPLE_BYTES);
    if (!isWhole) break;
  }
  const all = Buffer.concat(pieces);
  // Without any line feed, a file is one row, whose violation says so.
  const isCut = !isWhole && all.includes(LF);
  const sample = isCut ? all.subarray(0, all.lastIndexOf(LF) + 1) : all;
  if (!beginsLikeJson(sample) && !hasNetworkComments(sample))
    return guessBuild(sample, path, { entryName, isWhole: !isCut });
  const list = new NetworkList(path === '-' ? 'standard input' : basename(path), COMMA);
  const rows: Uint8Array[] = [];
  for await (const text of list.read(Readable.from([sample]))) rows.push(text);
  return guessNetworkList(Buffer.concat(rows), path, list.places);
}
