import { CoveringRow } from '../build/covering-row.js';
import { type BuildRequest, openPlanned } from './build-lookup.js';

/**
 * Reads a build's input once more, for the row that gives an address its record.
 *
 * @returns the line on which it starts; undefined if no row covers the address
 * @throws {RangeError} if the address is invalid
 * @throws {InputFileError} if the input cannot be read
 * @throws {LookupInputError} if it is invalid as a whole
 */
export async function findCoveringRow(request: BuildRequest, address: string): Promise<number | undefined> {
  const { plan, input } = await openPlanned(request);
  const row = new CoveringRow(plan, address);
  for await (const chunk of input.content) {
    request.signal?.throwIfAborted();
    row.push(chunk);
  }
  row.end();
  return row.line === undefined ? undefined : (plan.places?.of(row.line).row ?? row.line);
}
