import type { InputFormat } from '../address/input-format.js';
import { LookupOptionError, type OptionMention, optionMessage } from '../messages/option-message.js';
import { RANGE_KEYS } from '../schema/record-layout.js';
import { KNOWN_VENDOR_NAMES, nearVendorDatabase, type VendorDatabase } from '../vendor/vendor-file-name.js';
import type { BuildOptions } from './build-options.js';
import type { BuildPlan } from './build-plan.js';
import { firstDuplicate } from '../schema/first-duplicate.js';

/**
 * The names of the value columns, as in a `BuildPlan`.
 *
 * @param known the vendor's database that the file name implies
 * @throws {LookupOptionError}
 */
export function chooseColumns(
  fileName: string,
  options: BuildOptions,
  known: VendorDatabase | undefined,
  format: InputFormat,
): BuildPlan['columns'] {
  const { kind, columnNames, header } = options;
  if (format.name === 'networks' && (columnNames !== undefined || header === false)) {
    const given: OptionMention =
      columnNames === undefined ? { option: 'header', value: false } : { option: 'columnNames' };
    throw new LookupOptionError(
      optionMessage`${given} cannot be used with the input format networks, whose columns have names`,
    );
  }
  if (columnNames !== undefined) {
    if (kind === 'csv' && header !== false) {
      throw new LookupOptionError(
        optionMessage`${{ option: 'columnNames' }} requires ${{ option: 'header', value: false }}: otherwise the first row contains the names`,
      );
    }
    return columnLists(columnNames, format, options.includeIpRange ?? false);
  }
  if (kind === 'csv') {
    if (header !== false) return undefined;
    throw new LookupOptionError(
      optionMessage`${{ option: 'header', value: false }} needs ${{ option: 'columnNames' }}`,
    );
  }
  if (known === undefined) throw unknownName(fileName);
  return known.columns;
}

/** The given names may include the address columns; the first row's length decides. */
function columnLists(
  names: readonly string[],
  format: InputFormat,
  includeIpRange: boolean,
): readonly (readonly string[])[] {
  const empty = names.some((name) => name.trim() === '');
  if (names.length === 0 || empty)
    throw new LookupOptionError(optionMessage`${{ option: 'columnNames' }} has an empty name`);
  const named = RANGE_KEYS.every((key, index) => names[index] === key);
  const values = named && format.addressColumns === 2 ? names.slice(2) : names;
  const twice = firstDuplicate(names);
  if (twice !== undefined)
    throw new LookupOptionError(optionMessage`${{ option: 'columnNames' }} has ${twice} twice`);
  const taken = includeIpRange ? values.find((name) => RANGE_KEYS.includes(name)) : undefined;
  if (taken !== undefined) {
    throw new LookupOptionError(
      optionMessage`${{ option: 'columnNames' }} must begin with ip_from and ip_to, or leave both out; it has only ${taken}`,
    );
  }
  const mayNameAddresses = values === names && names.length >= format.addressColumns;
  return mayNameAddresses ? [names, names.slice(format.addressColumns)] : [values];
}

/** An error for a file name that tells neither the columns nor the format; it says which options to pass. */
export function unknownName(fileName: string): LookupOptionError {
  const near = nearVendorDatabase(fileName);
  if (near !== undefined) {
    const { code, columns, family, cidr } = near;
    const format = cidr ? 'cidr' : family === 6 ? 'ipv6-int' : 'ipv4-int';
    return new LookupOptionError(
      optionMessage`${fileName} is not a vendor file name, but close to one of ${code}: rename it, or pass ${{ option: 'columnNames', value: columns[0]!.join(' ') }} and ${{ option: 'inputFormat', value: format }}`,
    );
  }
  return new LookupOptionError(
    optionMessage`${fileName} is not a vendor file name: pass ${{ option: 'columnNames' }} and ${{ option: 'inputFormat' }}, or rename it; ${KNOWN_VENDOR_NAMES}`,
  );
}
