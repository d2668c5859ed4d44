/** The known name that a mistyped one most likely means, or undefined when none is near. */
export function nearestName(known: Iterable<string>, typed: string): string | undefined {
  const [nearest] = [...known]
    .map((name) => ({ name, distance: editDistance(name, typed.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= allowance(name))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** True when `typed` is a likely misspelling of `name`. */
export function isNear(name: string, typed: string): boolean {
  return nearestName([name], typed) !== undefined;
}

const allowance = (name: string): number => Math.max(1, Math.floor(name.length / 3));

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let former: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[j]! + 1, next[j - 1]! + 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) next[j] = Math.min(next[j]!, former[j - 2]! + 1);
    }
    [former, row] = [row, next];
  }
  return row[b.length]!;
}
