import { looksLikeAddress, otherFormats } from '../address/input-format.js';
import { RANGE_KEYS } from '../schema/record-layout.js';
import { optionMessage, type OptionMessage } from '../messages/option-message.js';
import type { BuildPlan } from './build-plan.js';
import { checkNames } from './check-names.js';
import type { ViolationList } from './input-violations.js';

/**
 * Checks a header row.
 *
 * @param names cells of the first row
 * @returns the names of the value columns
 * @throws {LookupInputError} if the row is data, or its names cannot be record keys
 */
export function columnsFromHeader(
  names: readonly string[],
  plan: BuildPlan,
  row: number,
  violations: ViolationList,
): readonly string[] {
  const { addressColumns } = plan.format;
  if (names.slice(0, addressColumns).every(looksLikeAddress)) {
    const remedy = optionMessage`add a header row, or pass ${{ option: 'header', value: false }} and ${{ option: 'columnNames' }}`;
    throw violations.fatal(
      row,
      optionMessage`is data, but the first row must hold the column names: ${remedy}`,
      '1',
      names[0],
    );
  }
  if (names.length < addressColumns) {
    const found = `the header has ${names.length} column, but the first two must be ip_from and ip_to`;
    throw violations.fatal(
      row,
      optionMessage`${found}: is the separator right (${{ option: 'separator' }})?`,
    );
  }
  const isTaken = (name: string, index: number) =>
    plan.includeIpRange && index >= addressColumns && RANGE_KEYS.includes(name);
  checkNames(names, row, violations, isTaken);
  return names.slice(addressColumns);
}

/**
 * Chooses the list of names that fits the first row.
 *
 * @param cells the first row
 * @throws {LookupInputError} if the row is a header, or no list fits
 */
export function columnsForRow(
  cells: readonly string[],
  lists: readonly (readonly string[])[],
  plan: BuildPlan,
  row: number,
  violations: ViolationList,
): readonly string[] {
  const { addressColumns } = plan.format;
  if (
    cells.slice(0, addressColumns).every((cell) => /^[a-z][a-z_ ]*$/i.test(cell) && !looksLikeAddress(cell))
  ) {
    throw violations.fatal(row, isColumnName(plan), '1', cells[0]);
  }
  const fitting = lists.find((list) => list.length + addressColumns === cells.length);
  if (fitting !== undefined) return fitting;
  throw violations.fatal(
    row,
    optionMessage`${mismatch(cells.length, lists, plan)}${remedy(cells, lists, plan)}`,
  );
}

function isColumnName({ dashIsEmpty }: BuildPlan): OptionMessage {
  // Only vendor files mark empty cells with dashes, and they never have a header.
  const remedy = dashIsEmpty
    ? 'use from-csv'
    : optionMessage`leave out ${{ option: 'header', value: false }} and ${{ option: 'columnNames' }}`;
  return optionMessage`is a column name, but the file must begin with data: ${remedy}`;
}

function mismatch(
  count: number,
  lists: readonly (readonly string[])[],
  { database, format }: BuildPlan,
): string | OptionMessage {
  if (database === undefined) {
    return optionMessage`the row has ${count} columns: ${{ option: 'columnNames' }} must name all of them, or all but the address columns`;
  }
  const edition = format.addressColumns === 1 ? "'s CIDR edition" : '';
  const expected = lists.map((list) => list.length + format.addressColumns).join(' or ');
  return `${database}${edition} has ${expected} columns, but the row has ${count}`;
}

/** Suggests formats in which the row would have the right number of columns. */
function remedy(
  cells: readonly string[],
  lists: readonly (readonly string[])[],
  plan: BuildPlan,
): OptionMessage {
  const choice = plan.choice.filter(
    ({ addressColumns }) =>
      addressColumns !== plan.format.addressColumns &&
      lists.some((list) => list.length + addressColumns === cells.length),
  );
  return otherFormats(cells[0]!, choice);
}
