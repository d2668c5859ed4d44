import { isAddressText, isNetworkText } from '../address/input-format.js';
import { optionMessage, type OptionMessage } from '../messages/option-message.js';

/** Words that name the first and the last address of a range, alone or in names such as `start_ip` and `end_ip`. */
const ENDS = [
  ['from', 'to'],
  ['start', 'end'],
  ['start', 'stop'],
  ['begin', 'end'],
  ['first', 'last'],
  ['lower', 'upper'],
  ['low', 'high'],
  ['min', 'max'],
] as const;

/** True if a header's first two names are those of a range's ends. */
export function namesRange(names: readonly string[]): boolean {
  const [first = '', second = ''] = names.map((name) => name.trim().toLowerCase());
  return ENDS.some(([from, to]) => first.includes(from) && first.replace(from, to) === second);
}

/** True if the first two cells are addresses, and therefore the ends of a range. */
export function isPairOfAddresses(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.slice(0, 2).every(isAddressText);
}

/** True if the first cell can only be in a single column of networks. */
export function isNetworkRow([cell = '']: readonly string[]): boolean {
  return isNetworkText(cell) && !isAddressText(cell);
}

/** True if a second cell may be that of a row in a file of ranges: an address, a network, or blank where the end is missing. */
export function mayEndRange(cell = ''): boolean {
  return cell.trim() === '' || isNetworkText(cell);
}

/** What to do about a network, or a range in one cell, in a row that should begin with the two ends of a range. */
export const NETWORK_AMONG_RANGES =
  ': a file of ranges cannot also have networks: write each as its first and last address';

/**
 * What to do about rows that may begin with ranges, or with an address and a value.
 *
 * @param addresses of the rows' first cells
 */
export function rangeRemedy(...addresses: readonly string[]): OptionMessage {
  const isV6 = (address: string) => address.includes(':');
  const value = addresses.every(isV6) ? 'ipv6' : addresses.some(isV6) ? 'auto' : 'ipv4';
  const ranges = { option: 'inputFormat', value };
  return optionMessage`pass ${ranges} if the first two columns hold ranges, or ${{ option: 'inputFormat', value: 'cidr' }} if only the first one holds addresses`;
}
