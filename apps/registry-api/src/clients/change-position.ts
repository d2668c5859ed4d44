/**
 * A change by its number and its random mark. After a failover to a server that lacked the latest changes, or a restore,
 * numbers are issued again; the mark tells the new change from the lost one.
 */
export interface ChangePosition {
  readonly seq: number;
  /** 12 hexadecimal digits; empty for changes older than marks, and before the first change. */
  readonly mark: string;
}

/** How a position is written. */
export const POSITION = /^(\d{1,15})(?:-([0-9a-f]{12}))?$/;

/** As the database writes it, too: see `positionIn`. Callers treat it as opaque. */
export function formatPosition({ seq, mark }: ChangePosition): string {
  return mark === '' ? String(seq) : `${seq}-${mark}`;
}

/** @returns undefined when the text is not a position */
export function parsePosition(text: string): ChangePosition | undefined {
  const [, seq, mark = ''] = POSITION.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), mark };
}

export function isSamePosition(one: ChangePosition, other: ChangePosition): boolean {
  return one.seq === other.seq && one.mark === other.mark;
}

/** SQL: the position in the columns `seq` and `mark` of a table or CTE. */
export function positionIn(table: string): string {
  return `concat_ws('-', ${table}.seq, nullif(${table}.mark, ''))`;
}
