import { parseAddress } from '../address/parse-address.js';
import { RANGE_KEYS } from '../schema/record-layout.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { familyTrees } from '../networks/family-tree.js';
import { type DumpForm, RecordRanges } from './record-ranges.js';

/** More columns than this suggest that keys are data. */
export const MAX_COLUMNS = 4096;

/** The records have too many different keys for a table. */
export class TooManyColumnsError extends Error {
  override readonly name = 'TooManyColumnsError';

  constructor() {
    super(`the records have more than ${MAX_COLUMNS} different keys: too many for a table`);
  }
}

/** The values of a record by their paths, such as `country.iso_code`. */
export function flatten(record: LookupRecord): [path: string, value: LookupValue][] {
  const leaves: [string, LookupValue][] = [];
  addLeaves(record, '', leaves);
  return leaves;
}

function addLeaves(branch: object, prefix: string, leaves: [string, LookupValue][]): void {
  for (const [key, value] of Object.entries(branch) as [string, LookupValue][]) {
    if (typeof value !== 'object' || value instanceof Uint8Array) leaves.push([prefix + key, value]);
    else addLeaves(value, `${prefix}${key}.`, leaves);
  }
}

/**
 * The columns of a lookup's records. Columns missing from some records are placed as in the records that have them,
 * so the input's order is restored as far as known. Columns added by `--include-ip-range` are left out, since a dump
 * has the addresses anyway.
 *
 * @param form of a dump, which keeps the addresses of records that it would write with others
 * @throws {TooManyColumnsError}
 */
export function dumpColumns(lookup: ParsedLookup, offsets: Uint32Array, form?: DumpForm): readonly string[] {
  const columns: string[] = [];
  const known = new Set<string>();
  let haveRange = true;
  for (const offset of offsets) {
    const record = lookup.recordAt(offset);
    haveRange &&= RANGE_KEYS.every((key) => isAddress(record[key]));
    let place = columns.length;
    for (const [path] of flatten(record).reverse()) {
      if (known.has(path)) place = columns.indexOf(path);
      else {
        known.add(path);
        columns.splice(place, 0, path);
      }
    }
    if (columns.length > MAX_COLUMNS) throw new TooManyColumnsError();
  }
  if (haveRange && form !== undefined) haveRange = haveOwnRanges(lookup, form);
  return haveRange ? columns.filter((column) => !RANGE_KEYS.includes(column)) : columns;
}

/** Whether all records have the addresses at which they are found, and no others. */
function haveOwnRanges(lookup: ParsedLookup, form: DumpForm): boolean {
  for (const tree of familyTrees(lookup)) {
    const ranges = new RecordRanges(tree, form);
    while (ranges.next()) {
      const { ip_from, ip_to } = lookup.recordAt(lookup.offsetOf(ranges.reference));
      if (ip_from !== ranges.first || ip_to !== ranges.last) return false;
    }
  }
  return true;
}

const scratch = new Uint32Array(4);

function isAddress(value: LookupValue | undefined): boolean {
  return typeof value === 'string' && parseAddress(value, scratch) !== undefined;
}
