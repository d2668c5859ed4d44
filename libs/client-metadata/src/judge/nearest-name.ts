/** The name that `text` was probably meant to be: at most two letters away, ignoring case, `-` and `_`. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  if (text.length > 64) return undefined;
  const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
  const distances = names.map((name) => ({ name, distance: editDistance(plain(text), plain(name)) }));
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= 2 ? nearest.name : undefined;
}

/** Levenshtein's distance: the fewest letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
