/** Dotted decimal text of an IPv4 address. */
export function formatIpv4(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/**
 * Formats an IPv6 address by RFC 5952: lower case, the longest run of zero groups as `::`, IPv4-mapped addresses in
 * dotted decimal (section 5).
 *
 * @param words holds the address in four words from `at` on
 */
export function formatIpv6(words: Uint32Array, at: number): string {
  const [w0, w1, w2, w3] = [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!];
  if (w0 === 0 && w1 === 0 && w2 === 0xffff) return `::ffff:${formatIpv4(w3)}`;
  const groups = [
    w0 >>> 16,
    w0 & 0xffff,
    w1 >>> 16,
    w1 & 0xffff,
    w2 >>> 16,
    w2 & 0xffff,
    w3 >>> 16,
    w3 & 0xffff,
  ];
  const [start, length] = longestZeroRun(groups);
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): [start: number, length: number] {
  let best: [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - start > best[1]) best = [start, end - start];
    start = Math.max(start, end - 1);
  }
  return best;
}
