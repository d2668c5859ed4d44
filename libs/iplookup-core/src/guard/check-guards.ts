import { columnValue, valueText } from '../mmdb/column-value.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { verifyLookup } from '../verify/verify-lookup.js';
import { checkChanges, type Former, incomparable, NO_PREVIOUS } from './change-guards.js';
import type { GuardOptions, GuardOutcome, Probe } from './guard-options.js';

/** Probes and problems listed. */
const MAX_LISTED = 5;

/** The lookup that would be replaced: none, one that can be compared, or the reason why it cannot. */
export type FormerLookup =
  | { readonly kind: 'none' }
  | { readonly kind: 'lookup'; readonly lookup: ParsedLookup }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Checks a new lookup. Without a former one, there is nothing to lose and nothing to change.
 *
 * @param bytes the new lookup file
 * @returns one outcome for each guard that was asked for, and for each column
 * @throws {LookupOptionError} if neither lookup has a named column
 */
export function checkGuards(bytes: Uint8Array, former: FormerLookup, guards: GuardOptions): GuardOutcome[] {
  const verified = guards.verify ? [verifyOutcome(bytes)] : [];
  try {
    const after = new ParsedLookup(bytes);
    const before = toFormer(former);
    return [
      ...verified,
      ...(guards.notOlder ? [ageOutcome(before, after)] : []),
      ...checkChanges(before, after, guards),
      ...(guards.probes?.length ? [probeOutcome(bytes, guards.probes)] : []),
    ];
  } catch (error) {
    if (!(error instanceof LookupFormatError)) throw error;
    return [...verified, { guard: 'verify', passed: false, found: error.message }];
  }
}

function toFormer(former: FormerLookup): Former {
  if (former.kind === 'none') return undefined;
  return former.kind === 'unreadable' ? former.reason : former.lookup;
}

function verifyOutcome(bytes: Uint8Array): GuardOutcome {
  const { problems, problemCount, records } = verifyLookup(bytes);
  if (problemCount === 0) return { guard: 'verify', passed: true, found: `${records} records, no problems` };
  return { guard: 'verify', passed: false, found: listed(problems, problemCount) };
}

function ageOutcome(before: Former, after: ParsedLookup): GuardOutcome {
  const guard = 'notOlder';
  if (before === undefined) return { guard, passed: true, found: NO_PREVIOUS };
  if (typeof before === 'string') return incomparable(guard, before);
  const [was, is] = [before.metadata.buildEpoch, after.metadata.buildEpoch];
  const times = `built ${isoTime(is)}, the previous one ${isoTime(was)}`;
  return { guard, passed: is >= was, found: times };
}

function isoTime(epoch: number): string {
  const time = new Date(epoch * 1000);
  return Number.isNaN(time.getTime()) ? `at ${epoch}` : time.toISOString().replace('.000Z', 'Z');
}

function probeOutcome(bytes: Uint8Array, probes: readonly Probe[]): GuardOutcome {
  const lookup = openLookup(bytes);
  const failures = probes.flatMap(({ address, column, value }) => {
    const record = lookup.find(address);
    const found = record === undefined ? undefined : columnValue(record, column.split('.'));
    const text = found === undefined ? '-' : valueText(found);
    if (text === value) return [];
    const is = record === undefined ? 'has no record' : `has the ${column} ${JSON.stringify(text)}`;
    return [`${address} ${is}, not ${JSON.stringify(value)}`];
  });
  const held = `${probes.length - failures.length} of ${probes.length} hold`;
  if (failures.length === 0) return { guard: 'probe', passed: true, found: held };
  return { guard: 'probe', passed: false, found: listed(failures.slice(0, MAX_LISTED), failures.length) };
}

function listed(found: readonly string[], count: number): string {
  const shown = found.slice(0, MAX_LISTED);
  const more = count > shown.length ? `; and ${count - shown.length} more` : '';
  return shown.join('; ') + more;
}
