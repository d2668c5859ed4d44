/**
 * The most likely intended name for a mistyped one: the closest by edit distance, ignoring case, `-` and `_`.
 *
 * @param allowance maximum edit distance; 2 by default
 */
export function nearestName(
  typed: string,
  names: Iterable<string>,
  allowance: (name: string) => number = () => 2,
): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  const text = plain(typed);
  const near = [...names]
    // Most names are out of reach by their length alone; a body may have thousands.
    .filter((name) => Math.abs(plain(name).length - text.length) <= allowance(name))
    .map((name) => ({ name, distance: editDistance(plain(name), text) }))
    .filter(({ name, distance }) => distance <= allowance(name))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Longer texts are not names, and their distance is expensive to compute. */
const MAX_LENGTH = 64;

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

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
