import type { BuildOptions } from '../src/build/build-options.js';
import { planBuild } from '../src/build/plan-build.js';
import { openLookup } from '../src/mmdb/open-lookup.js';
import { compareRows } from '../src/verify/compare-rows.js';
import { expectedRows } from '../src/verify/expected-rows.js';
import { build } from './build-in-memory.js';

type Options = Partial<BuildOptions> & { readonly file?: string };

/** Builds a lookup from one text and compares it with another. @param asked takes the addresses that are looked up */
export async function compare(
  csv: string,
  { file = 'input.csv', ...options }: Options = {},
  other = csv,
  asked: string[] = [],
) {
  const given: BuildOptions = { kind: 'csv', inputFormat: 'auto', buildEpoch: 1, ...options };
  const built = openLookup(build(csv, { file, ...given }).bytes);
  const lookup = { ...built, find: (ip: string) => (asked.push(ip), built.find(ip)) };
  const plan = planBuild(file, given);
  const content = async function* () {
    yield Buffer.from(other);
  };
  return compareRows(lookup, async () => expectedRows(content(), plan), plan);
}
