import { LookupOptionError, optionMessage } from '../messages/option-message.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import type { ColumnLimit, GuardOptions, GuardOutcome } from './guard-options.js';
import {
  type Affected,
  type Changes,
  type FamilyChanges,
  measureChanges,
  type Measures,
} from './measure-changes.js';

/** The former lookup, parsed; a text is the reason why it cannot be compared. */
export type Former = ParsedLookup | string | undefined;

export const NO_PREVIOUS = 'there is no previous lookup';

/** A guard cannot compare with the former lookup, and fails. */
export function incomparable(guard: GuardOutcome['guard'], reason: string, limit?: string): GuardOutcome {
  const found = `the previous lookup cannot be compared: ${reason}`;
  return { guard, passed: false, found, ...(limit === undefined ? {} : { limit }) };
}

/**
 * Checks the guards that count addresses.
 *
 * @throws {LookupOptionError} if neither lookup has a named column
 * @throws {LookupFormatError} if the new lookup is damaged
 */
export function checkChanges(
  before: Former,
  after: ParsedLookup,
  { maxLost, maxChanged = [], maxShare }: GuardOptions,
): GuardOutcome[] {
  if (maxLost === undefined && maxChanged.length === 0 && maxShare === undefined) return [];
  const changes = measure(before, after, {
    columns: maxChanged.map(({ column }) => column),
    largest: maxShare !== undefined,
  });
  assertKnown(changes);
  const lost = maxLost === undefined ? [] : [lostOutcome(changes, maxLost)];
  const changed = maxChanged.map((limit, index) => changedOutcome(changes, limit, index));
  return [...lost, ...changed, ...(maxShare === undefined ? [] : [largestOutcome(changes, maxShare)])];
}

/** The changes, or why there is nothing to compare with. */
interface Measured extends Changes {
  readonly isFirst: boolean;
  readonly incomparable?: string;
}

/** A former lookup may turn out to be damaged only when it is compared; the new one is then measured alone. */
function measure(before: Former, after: ParsedLookup, measures: Measures): Measured {
  const alone = (): Measured => ({
    ...measureChanges(undefined, after, measures),
    isFirst: before === undefined,
  });
  if (before === undefined) return alone();
  if (typeof before === 'string') return { ...alone(), incomparable: before };
  try {
    return { ...measureChanges(before, after, measures), isFirst: false };
  } catch (error) {
    if (!(error instanceof LookupFormatError)) throw error;
    return { ...alone(), incomparable: error.message };
  }
}

function assertKnown({ unknownColumns: [column] }: Changes): void {
  if (column === undefined) return;
  throw new LookupOptionError(
    optionMessage`${{ option: 'maxChanged' }} names the column ${column}, which neither the new nor the previous lookup has`,
  );
}

function lostOutcome(changes: Measured, limit: number): GuardOutcome {
  const named = { guard: 'maxLost', limit: percent(limit) } as const;
  const lost = ({ lost }: FamilyChanges) => lost;
  return (
    withoutFormer(named, changes) ?? shareOutcome(named, limit, changes, lost, 'of the addresses are lost')
  );
}

function changedOutcome(changes: Measured, { column, share }: ColumnLimit, index: number): GuardOutcome {
  const named = { guard: 'maxChanged', limit: `${column}=${percent(share)}` } as const;
  const changed = (family: FamilyChanges) => family.changed[index]!;
  const what = `of the addresses change their ${column}`;
  return withoutFormer(named, changes) ?? shareOutcome(named, share, changes, changed, what);
}

function largestOutcome(changes: Measured, limit: number): GuardOutcome {
  const named = { guard: 'maxShare', limit: percent(limit) } as const;
  const largest = ({ largest }: FamilyChanges) => largest;
  return shareOutcome(named, limit, changes, largest, 'of the addresses have the same record');
}

type Named = Pick<GuardOutcome, 'guard'> & { readonly limit: string };

function withoutFormer(
  { guard, limit }: Named,
  { isFirst, incomparable: reason }: Measured,
): GuardOutcome | undefined {
  if (reason !== undefined) return incomparable(guard, reason, limit);
  return isFirst ? { guard, limit, passed: true, found: NO_PREVIOUS } : undefined;
}

function shareOutcome(
  named: Named,
  limit: number,
  { families }: Changes,
  pick: (family: FamilyChanges) => Affected,
  what: string,
): GuardOutcome {
  const found = families
    .map((family) => ({ family: family.family, ...shareOf(pick(family)) }))
    .filter(({ of }) => of > 0);
  const tooMany = found.filter(({ share }) => share > limit);
  const texts = (tooMany.length > 0 ? tooMany : found).map(({ family, share, examples }) => {
    const places = tooMany.length > 0 ? ` (${examples.join('; ')})` : '';
    return `${percent(share)} ${what} in IPv${family}${places}`;
  });
  return { ...named, passed: tooMany.length === 0, found: texts.join(', ') || 'no addresses' };
}

function shareOf({ of, addresses, examples }: Affected) {
  return { of, share: of === 0 ? 0 : addresses / of, examples };
}

/** Four digits, so that a share just beyond a limit looks beyond it. */
function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))}%`;
}
