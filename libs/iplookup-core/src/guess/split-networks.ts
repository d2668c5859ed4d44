import { parseAddress } from '../address/parse-address.js';

/** A word in the names of columns that hold the lengths of prefixes, such as `netmask_cidr` and `Prefix length (bits)`. */
const LENGTH_WORD = /^(ip|net|network|subnet)?(prefix|mask|cidr)(len|length|bits|size)?$/;

/** The letters of names without such a word. Other columns have lengths, too. */
const LENGTH_NAME = /^(ip|net|network|subnet)?(length|bits)$/;

/**
 * What is in the second column, if networks are split into two: they would be read as something else.
 *
 * @param header of the file, if there is one
 * @param rows the cells of its other rows
 * @param addressColumns columns that are read as addresses
 */
export function findSplit(
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  addressColumns: number,
): 'netmasks' | 'prefix lengths' | undefined {
  if (addressColumns === 2) return haveNetmasks(rows) ? 'netmasks' : undefined;
  return haveLengths(header, rows) ? 'prefix lengths' : undefined;
}

/** As ranges, such rows would reach from each network to the address that looks like its mask. */
function haveNetmasks(rows: readonly (readonly string[])[]): boolean {
  const ends = rows.map(([, second = '']) => second.trim());
  // A single range may also end with the last address.
  return ends.every(isNetmask) && (ends.length > 1 || ends[0] !== '255.255.255.255');
}

function isNetmask(text: string): boolean {
  const bits = text.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  return bits.length === 4 && /^1{8,}0*$/.test(bits.join(''));
}

/**
 * As single addresses, such rows would lose all but the first address of each network. Any small number may follow an address,
 * such as a port, so that it takes a fitting name, or several networks and nothing else.
 */
function haveLengths(header: readonly string[] | undefined, rows: readonly (readonly string[])[]): boolean {
  const kinds = rows.map(kindOf);
  if (!kinds.every((kind) => kind !== undefined)) return false;
  const networks = new Set(rows.filter((_, row) => kinds[row] === 'network').map(([first]) => first));
  if (namesLength(header?.[1] ?? '')) return networks.size > 0;
  return networks.size > 1 && !kinds.includes('address');
}

function namesLength(column: string): boolean {
  const words = column
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => LENGTH_WORD.test(word)) || LENGTH_NAME.test(words.join(''));
}

/** What a row would be as an address and the length of its prefix. */
function kindOf([first = '', second = '']: readonly string[]): 'network' | 'host' | 'address' | undefined {
  const words = new Uint32Array(4);
  const family = parseAddress(first.trim(), words);
  if (family === undefined || !/^\d{1,3}$/.test(second.trim())) return undefined;
  const bits = family === 4 ? 32 : 128;
  const length = Number(second);
  if (length > bits) return undefined;
  if (length === bits) return 'host';
  for (let bit = length; bit < bits; bit++)
    if (((words[bit >>> 5]! >>> (31 - (bit & 31))) & 1) === 1) return 'address';
  return 'network';
}
