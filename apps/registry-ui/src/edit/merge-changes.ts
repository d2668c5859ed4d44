import type { FeatureField } from '../api/client-documents.js';
import { sameValue } from '../form/form-values.js';

export type Side = 'theirs' | 'mine';

interface Row {
  readonly name: string;
  /** Their value differs from the one shown before. */
  readonly changedAgain: boolean;
}

/** A single-value field: one side's value is kept. */
export interface ValueRow extends Row {
  readonly kind: 'value';
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Who changed it; `both` requires a decision. */
  readonly changedBy: 'them' | 'me' | 'both';
}

/** A list, merged item by item. */
export interface ListRow extends Row {
  readonly kind: 'list';
  /** Items that only one side added or removed. */
  readonly changes: readonly ItemChange[];
  /** All items of both sides, in merged order. */
  readonly items: readonly string[];
}

/** An item that one side added or removed and the other left unchanged. */
export interface ItemChange {
  readonly item: string;
  readonly change: 'added' | 'removed';
  readonly by: 'them' | 'me';
}

export type MergeRow = ValueRow | ListRow;

type Members = Readonly<Record<string, unknown>>;

/** One state and two edits of it. */
interface TwoChanges {
  readonly fields: readonly Pick<FeatureField, 'name' | 'type'>[];
  readonly before: Members;
  readonly theirs: Members;
  readonly mine: Members;
  /** Their side as shown before it changed again. */
  readonly shown?: Members | undefined;
}

export interface Decisions {
  /** The side whose value is kept; `undefined` until decided. */
  sideOf(row: ValueRow): Side | undefined;
  keeps(row: ListRow, change: ItemChange): boolean;
}

/** Compares two edits of one state, field by field and item by item; identical changes are left out. */
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
  return { ...row, ...values, kind: 'value', changedBy: changedBy(values) };
}

function changedBy({ before, theirs, mine }: Values): ValueRow['changedBy'] {
  if (sameValue(before, theirs)) return 'me';
  return sameValue(before, mine) ? 'them' : 'both';
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

/** The default side of a value: the one that changed it. */
export function changedSide({ changedBy }: ValueRow): Side | undefined {
  if (changedBy === 'both') return undefined;
  return changedBy === 'them' ? 'theirs' : 'mine';
}

/** The default for an item: every change is applied. */
export function isKept({ change }: ItemChange): boolean {
  return change === 'added';
}

/** Their state with the chosen parts of mine. Undecided fields stay as theirs. */
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

/** The items of both lists in one order: theirs, unless only I have reordered the list. */
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
    // After the item that precedes it in its own list.
    const previous = other[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, item);
  }
  return order;
}

function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const stayed = before.filter((item) => after.includes(item));
  return after.filter((item) => before.includes(item)).join('\n') !== stayed.join('\n');
}
