/** The items of two changed lists in one order: theirs, unless I alone have put the items in another order. */
export function mergedOrder(
  before: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
): string[] {
  const mineLeads = isReordered(before, mine) && !isReordered(before, theirs);
  const [leading, other] = mineLeads ? [mine, theirs] : [theirs, mine];
  const order = [...new Set(leading)];
  for (const [index, item] of other.entries()) {
    if (order.includes(item)) continue;
    // After the item that it follows in its own list.
    const previous = other[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, item);
  }
  return order;
}

function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const stayed = before.filter((item) => after.includes(item));
  return after.filter((item) => before.includes(item)).join('\n') !== stayed.join('\n');
}
