import { compareWords } from '../address/address-words.js';
import { parseAddress } from '../address/parse-address.js';
import { isNetworkRow, namesRange } from '../build/range-columns.js';

/** Whether rows that do not all begin with the two ends of a range are still more likely ranges than single addresses. */
export function areLikelyRanges(
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
): boolean {
  if (rows[0] === undefined) return false;
  if (header !== undefined && namesRange(header)) return true;
  if (isNetworkRow(rows[0])) return false;
  const orders = rows.map(orderOf);
  return orders.includes('ascending') && !orders.includes('descending');
}

function orderOf([first = '', second = '']: readonly string[]): 'ascending' | 'descending' | undefined {
  const [a, b] = [new Uint32Array(4), new Uint32Array(4)];
  const family = parseAddress(first.trim(), a);
  if (family === undefined || parseAddress(second.trim(), b) !== family) return undefined;
  return compareWords(a, 0, b, 0, family === 4 ? 1 : 4) <= 0 ? 'ascending' : 'descending';
}
