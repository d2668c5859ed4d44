/** Letters that two names may differ in and still be taken for each other. */
const MAX_DISTANCE = 2;

/** The name that `text` was probably meant to be: at most two letters away, ignoring case, `-` and `_`. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  if (text.length > 64) return undefined;
  const asked = plain(text);
  const near = names
    // Most names are out of reach by their length alone; a body may have thousands.
    .filter((name) => Math.abs(plain(name).length - asked.length) <= MAX_DISTANCE)
    .map((name) => ({ name, distance: editDistance(asked, plain(name)) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
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
