import { sameValue } from '../form/form-values.js';

/** A field that somebody else changed while it was edited here, or that was changed here. */
export interface MergeRow {
  readonly name: string;
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Who changed it; `both` must be decided. */
  readonly changedBy: 'them' | 'me' | 'both';
  /** Theirs is another value than the one that was shown before: whatever was decided has to be decided anew. */
  readonly changedAgain: boolean;
}

export type Side = 'theirs' | 'mine';

type Members = Readonly<Record<string, unknown>>;

/** One state, and what two people made of it. */
export interface TwoChanges {
  /** The fields to compare. */
  readonly names: readonly string[];
  readonly before: Members;
  readonly theirs: Members;
  readonly mine: Members;
  /** What was shown as theirs until it was changed once more. */
  readonly shown?: Members | undefined;
}

/** Compares two changes of one state, field by field. What both changed alike is settled and left out. */
export function mergeRows({ names, before, theirs, mine, shown }: TwoChanges): MergeRow[] {
  return names.flatMap((name) => {
    const values = { before: before[name], theirs: theirs[name], mine: mine[name] };
    if (sameValue(values.theirs, values.mine)) return [];
    const [byThem, byMe] = [!sameValue(values.before, values.theirs), !sameValue(values.before, values.mine)];
    const changedBy = byThem && byMe ? ('both' as const) : byThem ? ('them' as const) : ('me' as const);
    const changedAgain = shown !== undefined && !sameValue(shown[name], values.theirs);
    return [{ name, ...values, changedBy, changedAgain }];
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
