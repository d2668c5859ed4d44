/**
 * How well one measurement tells two kinds of requests apart by their times: the share of pairs in which the one of `slower` took
 * longer (ties count half). 0.5: not at all; 1: always.
 *
 * @see Mann and Whitney, whose U this is, divided by the number of pairs
 */
export function shareSlower(slower: readonly number[], others: readonly number[]): number {
  const all = [
    ...slower.map((ms) => ({ ms, isSlower: true })),
    ...others.map((ms) => ({ ms, isSlower: false })),
  ];
  all.sort((a, b) => a.ms - b.ms);
  let [passed, pairs] = [0, 0];
  for (let at = 0; at < all.length;) {
    let end = at;
    while (end < all.length && all[end]!.ms === all[at]!.ms) end += 1;
    const tied = all.slice(at, end);
    const tiedSlower = tied.filter(({ isSlower }) => isSlower).length;
    pairs += tiedSlower * (passed + (tied.length - tiedSlower) / 2);
    passed += tied.length - tiedSlower;
    at = end;
  }
  return pairs / (slower.length * others.length);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
