/** One field that a change made different; a side is absent when there was no value. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One line of a difference. */
export interface DifferenceLine {
  readonly sign: 'removed' | 'added';
  readonly value: string;
}

/** What a change took away and what it put there; of two lists only what is not in both, unless they differ in order. */
export function linesOf({ before, after }: FieldChange): DifferenceLine[] {
  const [old, fresh] = [textsOf(before), textsOf(after)];
  const gone = old.filter((value) => !fresh.includes(value));
  const come = fresh.filter((value) => !old.includes(value));
  const reordered = gone.length + come.length === 0;
  return [
    ...(reordered ? old : gone).map((value) => ({ sign: 'removed' as const, value })),
    ...(reordered ? fresh : come).map((value) => ({ sign: 'added' as const, value })),
  ];
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [String(value)];
  // A list that was set to nothing is not the same as none at all.
  return value.length === 0 ? ['[]'] : value.map(String);
}
