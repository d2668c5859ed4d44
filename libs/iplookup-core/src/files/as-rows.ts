import type { BuildPlan } from '../build/build-plan.js';
import type { InputPlaces } from '../rows/input-places.js';
import { NetworkList } from '../tables/network-list.js';
import type { InputFile } from './open-regular-file.js';

/** An input as CSV text. */
export interface InputRows {
  readonly input: InputFile;
  /** Where its rows come from, unless from the same lines of the file. */
  readonly places?: InputPlaces;
}

/** Turns an input that is a list of networks into CSV text. @throws {LookupInputError} on iteration, if it is not one */
export function asRows(input: InputFile, { file, format, separator }: BuildPlan): InputRows {
  if (format.name !== 'networks') return { input };
  const list = new NetworkList(file, separator);
  // Without `plain`, which would lead to the list itself instead of this CSV text.
  const { plain, ...others } = input;
  return { input: { ...others, content: list.read(input.content) }, places: list.places };
}
