import type { SupportedField } from '@svc/client-metadata';
import { sameValue } from '../form/form-values.js';

export type Side = 'theirs' | 'mine';

interface Row {
  readonly name: string;
  /** Theirs is another value than the one that was shown before. */
  readonly changedAgain: boolean;
}

/** A field with one value, of which one side's is kept. */
export interface ValueRow extends Row {
  readonly kind: 'value';
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Who changed it; `both` must be decided. */
  readonly changedBy: 'them' | 'me' | 'both';
}

/** A list, merged item by item. */
export interface ListRow extends Row {
  readonly kind: 'list';
  /** The items that one side alone added or removed. */
  readonly changes: readonly ItemChange[];
  /** Every item of either side, in the order of the merged list. */
  readonly items: readonly string[];
}

/** An item that one side added or removed, while the other left it as it was. */
export interface ItemChange {
  readonly item: string;
  readonly change: 'added' | 'removed';
  readonly by: 'them' | 'me';
}

export type MergeRow = ValueRow | ListRow;

type Members = Readonly<Record<string, unknown>>;

/** One state, and what two people made of it. */
interface TwoChanges {
  /** The fields to compare. */
  readonly fields: readonly Pick<SupportedField, 'name' | 'type'>[];
  readonly before: Members;
  readonly theirs: Members;
  readonly mine: Members;
  /** What was shown as theirs until it changed again. */
  readonly shown?: Members | undefined;
}

/** What was decided of the rows. */
export interface Decisions {
  /** The side that a value is taken from; `undefined` while that is to be decided. */
  sideOf(row: ValueRow): Side | undefined;
  keeps(row: ListRow, change: ItemChange): boolean;
}

/** Compares two changes of one state, field by field and item by item. What both changed alike is settled and left out. */
export function mergeRows({ fields, before, theirs, mine, shown }: TwoChanges): MergeRow[] {
  return fields.flatMap(({ name, type }): MergeRow[] => {
    if (sameValue(theirs[name], mine[name])) return [];
    const values = { before: before[name], theirs: theirs[name], mine: mine[name] };
    const row = { name, changedAgain: shown !== undefined && !sameValue(shown[name], values.theirs) };
    return type === 'string[]' ? [listRow(row, values)] : [valueRow(row, values)];
  });
}

interface Values {
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

function valueRow(row: Row, values: Values): ValueRow {
  const byThem = !sameValue(values.before, values.theirs);
  const byMe = !sameValue(values.before, values.mine);
  const changedBy = byThem && byMe ? 'both' : byThem ? 'them' : 'me';
  return { ...row, ...values, kind: 'value', changedBy };
}

function listRow(row: Row, values: Values): ListRow {
  const [before, theirs, mine] = [itemsOf(values.before), itemsOf(values.theirs), itemsOf(values.mine)];
  const items = mergedOrder(before, theirs, mine);
  const changes = items
    .filter((item) => theirs.includes(item) !== mine.includes(item))
    .map((item): ItemChange => {
      const change = before.includes(item) ? 'removed' : 'added';
      const by = theirs.includes(item) === (change === 'added') ? 'them' : 'me';
      return { item, change, by };
    });
  return { ...row, kind: 'list', changes, items };
}

function itemsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Which side a value is taken from unless it is decided otherwise: the one that changed it. */
export function changedSide({ changedBy }: ValueRow): Side | undefined {
  if (changedBy === 'both') return undefined;
  return changedBy === 'them' ? 'theirs' : 'mine';
}

/** Whether an item stands in the merged list unless it is decided otherwise: every change is made. */
export function isKept({ change }: ItemChange): boolean {
  return change === 'added';
}

/** Their state with what is taken from mine. What is still to be decided is as they have it. */
export function merged(
  theirs: Members,
  rows: readonly MergeRow[],
  { sideOf, keeps }: Decisions,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...theirs };
  for (const row of rows) {
    if (row.kind === 'list') {
      const left = new Set(row.changes.filter((change) => !keeps(row, change)).map(({ item }) => item));
      result[row.name] = row.items.filter((item) => !left.has(item));
    } else if (sideOf(row) === 'mine') {
      if (row.mine === undefined) delete result[row.name];
      else result[row.name] = row.mine;
    }
  }
  return result;
}

/** The items of two changed lists in one order: theirs, unless I alone have put the items in another order. */
function mergedOrder(
  before: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
): string[] {
  const mineLeads = isReordered(before, mine) && !isReordered(before, theirs);
  const [leading, other] = mineLeads ? [mine, theirs] : [theirs, mine];
  const order = [...new Set(leading)];
  for (const [index, item] of other.entries()) {
    if (order.includes(item)) continue;
    // After the item that it follows in its own list.
    const previous = other[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, item);
  }
  return order;
}

function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const stayed = before.filter((item) => after.includes(item));
  return after.filter((item) => before.includes(item)).join('\n') !== stayed.join('\n');
}
