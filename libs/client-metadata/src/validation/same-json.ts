/** True if two JSON values are equal, regardless of property order. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [membersA, membersB] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  if (membersA.size !== membersB.size) return false;
  return [...membersA].every(([name, value]) => membersB.has(name) && sameJson(value, membersB.get(name)));
}
