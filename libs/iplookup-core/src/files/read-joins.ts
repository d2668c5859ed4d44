import { type JoinKey, type JoinTable, parseJoinTable } from '../build/join-table.js';
import { InputFileError } from './file.errors.js';
import { type InputLimits, openInput } from './open-input.js';
import type { InputFile } from './open-regular-file.js';
import { untilAborted } from './until-aborted.js';

/** A file to join. */
export interface JoinFile extends JoinKey {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

/** What the files to join are read with. */
interface JoinRequest {
  readonly joinFiles?: readonly JoinFile[] | undefined;
  readonly limits?: InputLimits | undefined;
  readonly followLinks?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws {InputFileError} if one cannot be read @throws {LookupInputError} if one is malformed */
export async function readJoins({ joinFiles = [], signal, ...rules }: JoinRequest): Promise<JoinTable[]> {
  const tables: JoinTable[] = [];
  for (const { path, name, ...key } of joinFiles) {
    tables.push(
      parseJoinTable(await readJoined(await openInput(path, { ...rules, name }), name, signal), name, key),
    );
  }
  return tables;
}

/** The joined tables stay in memory while the rows are read. */
const MAX_JOINED_BYTES = 256 * 1024 * 1024;

/** Reads a whole file to join. @throws {InputFileError} if it cannot be read, or is too large */
export async function readJoined(
  { content }: InputFile,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(content, signal)) {
    size += chunk.length;
    if (size > MAX_JOINED_BYTES)
      throw new InputFileError(
        `${name} has more than ${MAX_JOINED_BYTES} bytes, the limit for a joined file`,
      );
    // The reader uses its buffers again.
    chunks.push(Uint8Array.from(chunk));
  }
  return Buffer.concat(chunks);
}
