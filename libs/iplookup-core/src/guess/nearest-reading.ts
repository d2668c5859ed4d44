import type { InputFormatName } from '../address/input-format.js';
import type { BuildOptions } from '../build/build-options.js';
import { sampleRows, separatorByte } from './sample-rows.js';

/** What people write for addresses, valid or not. */
const ADDRESS = /^(\d{1,3}(\.[\d*x]{1,3}){2,3}|[\da-f]{0,4}:[\da-f]{0,4}:)/i;

/** Addresses as numbers, also as spreadsheets write large ones. */
const NUMBER = /^(\d{8,39}|\d(\.\d+)?E\+?\d{1,2})$/i;

/** Only the first rows tell a format. */
const MAX_ROWS = 20;

/**
 * The options that nearly read a file, whose violation says what is wrong with it.
 *
 * @returns undefined if the file has no addresses in its first column
 */
export function nearestReading(
  sample: Buffer,
  separators: readonly string[],
): Pick<BuildOptions, 'inputFormat' | 'separator' | 'header' | 'columnNames'> | undefined {
  const attempts = separators.flatMap((separator) => {
    const rows = sampleRows(sample, separatorByte(separator)).slice(0, MAX_ROWS);
    const index = rows.findIndex(([cell = '']) => ADDRESS.test(cell.trim()) || NUMBER.test(cell.trim()));
    return index < 0 ? [] : [{ separator, index, row: rows[index]! }];
  });
  const [best] = attempts.toSorted((a, b) => b.row.length - a.row.length);
  if (best === undefined) return undefined;
  const { separator, index, row } = best;
  const inputFormat = formatOf(row);
  if (index > 0) return { separator, inputFormat };
  const names = row.slice(inputFormat === 'cidr' ? 1 : 2).map((_, column) => `value_${column + 1}`);
  // Rows of nothing but networks have a column all the same.
  return { separator, inputFormat, header: false, columnNames: names.length > 0 ? names : ['network'] };
}

function formatOf([first = '', second = '']: readonly string[]): InputFormatName {
  if (NUMBER.test(first.trim())) return Number(first) < 2 ** 32 ? 'ipv4-int' : 'ipv6-int';
  return ADDRESS.test(second.trim()) && !/[/-]/.test(first) ? 'auto' : 'cidr';
}
