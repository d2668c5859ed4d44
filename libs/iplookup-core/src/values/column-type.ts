/** The stored type of a column. */
export type ColumnType = 'string' | NumberType;

/** Types that are parsed; booleans are stored as 0 or 1, and `asn` accepts a number with an AS prefix. */
export type NumberType = 'double' | 'int32' | 'uint32' | 'uint16' | 'asn' | 'boolean';

export const COLUMN_TYPES: readonly ColumnType[] = [
  'string',
  'boolean',
  'double',
  'int32',
  'uint16',
  'uint32',
  'asn',
];

/** Numeric columns by name. Codes that look like numbers (zip codes, MNC) stay text. */
const NUMBER_COLUMNS: Readonly<Record<string, ColumnType>> = {
  latitude: 'double',
  longitude: 'double',
  elevation: 'int32',
  fraud_score: 'uint32',
  last_seen: 'uint32',
};

/** @param typed false to store every column as text */
export function columnType(name: string, typed: boolean): ColumnType {
  return typed && Object.hasOwn(NUMBER_COLUMNS, name) ? NUMBER_COLUMNS[name]! : 'string';
}

/** Maximum length of a number; longer ones are only padded. */
export const MAX_NUMBER_LENGTH = 64;

/** Unambiguous, so that failing to match takes linear time. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;
const BOUNDS = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint16: [0, 2 ** 16 - 1],
  asn: [0, 2 ** 32 - 1],
  boolean: [0, 1],
} as const;
const BOOLEANS: Readonly<Record<string, string>> = { true: '1', false: '0' };

/** @returns the number in `cell`, or `undefined` if it is not valid for the type, or too long */
export function parseNumber(cell: string, type: NumberType): number | undefined {
  if (cell.length > MAX_NUMBER_LENGTH) return undefined;
  const text =
    type === 'asn'
      ? cell.replace(/^AS/i, '')
      : type === 'boolean'
        ? (BOOLEANS[cell.toLowerCase()] ?? cell)
        : cell;
  if (!(type === 'double' ? DECIMAL : INTEGER).test(text)) return undefined;
  const number = Number(text) + 0;
  if (!Number.isFinite(number)) return undefined;
  if (type === 'double') return number;
  const [lowest, highest] = BOUNDS[type];
  return number >= lowest && number <= highest ? number : undefined;
}

/** Digits of a number that is exact as a double, and its divisors. */
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

const DASH = 45;
const POINT = 46;
const ZERO = 48;

/**
 * Parses a double given as bytes: a few digits, a point and more of them, perhaps after a minus. The quotient of two
 * doubles that are exact is the double nearest to the number, which is what JavaScript's parser finds.
 *
 * @returns `undefined` if it has another form, which does not make it invalid
 */
export function parsePlainDecimal(bytes: Uint8Array, start: number, end: number): number | undefined {
  const isNegative = bytes[start] === DASH;
  const first = isNegative ? start + 1 : start;
  // With the point.
  if (end - first > EXACT_DIGITS + 1) return undefined;
  let digits = 0;
  let point = -1;
  for (let p = first; p < end; p++) {
    const digit = bytes[p]! - ZERO;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (bytes[p] === POINT && point < 0 && p > first && p + 1 < end) point = p;
    else return undefined;
  }
  if (point < 0) return undefined;
  const number = digits / POWERS_OF_TEN[end - point - 1]!;
  return isNegative && number !== 0 ? -number : number;
}
