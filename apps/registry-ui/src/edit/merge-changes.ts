/** A field that somebody else changed while it was edited here, or that was changed here. */
export interface MergeRow {
  readonly name: string;
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Who changed it; `both` must be decided. */
  readonly changedBy: 'them' | 'me' | 'both';
}

export type Side = 'theirs' | 'mine';

type Members = Readonly<Record<string, unknown>>;

/** Compares two changes of one state, field by field. What both changed alike is settled and left out. */
export function mergeRows(
  names: readonly string[],
  before: Members,
  theirs: Members,
  mine: Members,
): MergeRow[] {
  return names.flatMap((name) => {
    const values = { before: before[name], theirs: theirs[name], mine: mine[name] };
    if (same(values.theirs, values.mine)) return [];
    const [byThem, byMe] = [!same(values.before, values.theirs), !same(values.before, values.mine)];
    const changedBy = byThem && byMe ? ('both' as const) : byThem ? ('them' as const) : ('me' as const);
    return [{ name, ...values, changedBy }];
  });
}

/** Which side a field is taken from when nobody decides: each change is kept, and one's own where both made one. */
export function sideOf({ changedBy }: MergeRow): Side {
  return changedBy === 'them' ? 'theirs' : 'mine';
}

/** Their state with the rows that are taken from mine. */
export function merged(
  theirs: Members,
  rows: readonly MergeRow[],
  sides: Readonly<Record<string, Side>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...theirs };
  for (const row of rows) {
    if ((sides[row.name] ?? sideOf(row)) === 'theirs') continue;
    if (row.mine === undefined) delete result[row.name];
    else result[row.name] = row.mine;
  }
  return result;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
