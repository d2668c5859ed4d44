import type { InputPlace, InputPlaces } from '../rows/input-places.js';
import { formatMessage, type OptionFormatter, type OptionMessage } from '../messages/option-message.js';

/** An invalid part of the input. */
export interface InputViolation {
  readonly file: string;
  /** 1-based line on which the row starts; absent if the whole file is invalid. */
  readonly row?: number;
  /** Column name, truncated to 80 characters, or its 1-based number if names are unknown. */
  readonly column?: string;
  /** The invalid text, truncated to 80 characters. */
  readonly text?: string;
  readonly reason: string;
  /** The reason as a template, if it mentions options; `reason` names them like the command line. */
  readonly template?: OptionMessage;
}

/** Further violations are only counted. */
export const MAX_LISTED_VIOLATIONS = 20;

const MAX_TEXT = 80;

/** The reason for an undecodable cell or header. */
export const INVALID_UTF8 = 'is not valid UTF-8';

/** The input is invalid. Contains the first {@link MAX_LISTED_VIOLATIONS} violations and their total. */
export class LookupInputError extends Error {
  override readonly name = 'LookupInputError';

  /** @param skippable true if the file could be used without the invalid rows */
  constructor(
    readonly violations: readonly InputViolation[],
    readonly count: number = violations.length,
    readonly skippable = false,
  ) {
    const more = count > violations.length ? [`... and ${count - violations.length} more`] : [];
    super([...violations.map((violation) => describeViolation(violation)), ...more].join('\n'));
  }
}

/** Formats the options in a violation with `formatOption`, by default like the command line. */
export function nameOptions(
  { template, ...violation }: InputViolation,
  formatOption?: OptionFormatter,
): InputViolation {
  return template === undefined ? violation : { ...violation, reason: formatMessage(template, formatOption) };
}

/** Formats a violation as one line: place, text, reason. */
export function describeViolation({ file, row, column, text, reason }: InputViolation): string {
  const place = [row === undefined ? '' : ` row ${row}`, column === undefined ? '' : ` column ${column}`];
  const where = place.filter(Boolean).join(',');
  return `${file}:${where}${where ? ':' : ''} ${text === undefined ? '' : `${JSON.stringify(text)} `}${reason}`;
}

/** Collects violations while a file is read. */
export class ViolationList {
  count = 0;
  readonly listed: InputViolation[] = [];

  constructor(
    readonly file: string,
    /** Where rows come from, if not from this file as it is. */
    private readonly places?: InputPlaces,
  ) {}

  add(row: number, reason: string | OptionMessage, column?: string, text?: string): void {
    this.count++;
    if (this.listed.length < MAX_LISTED_VIOLATIONS)
      this.listed.push(this.violation(row, reason, column, text));
  }

  /** An error for the collected rows, if they are not to be skipped. */
  invalidRows(): LookupInputError {
    return new LookupInputError(this.listed, this.count, true);
  }

  /** An error that invalidates the whole file, even if rows may be skipped. */
  fatal(
    row: number | undefined,
    reason: string | OptionMessage,
    column?: string,
    text?: string,
  ): LookupInputError {
    return new LookupInputError([this.violation(row, reason, column, text)]);
  }

  /** Without the row if it is not in the file, such as the header of a list without one. */
  private placeOf(row: number): Partial<InputPlace> {
    const place = { row, ...this.places?.of(row) };
    if (place.row > 0) return place;
    const { row: _, ...rest } = place;
    return rest;
  }

  private violation(
    row: number | undefined,
    reason: string | OptionMessage,
    column?: string,
    text?: string,
  ): InputViolation {
    return {
      file: this.file,
      ...(row === undefined ? {} : this.placeOf(row)),
      ...(column === undefined ? {} : { column: cut(column) }),
      ...(text === undefined ? {} : { text: cut(text) }),
      reason: formatMessage(reason),
      ...(typeof reason === 'string' || reason.every((part) => typeof part === 'string')
        ? {}
        : { template: reason }),
    };
  }
}

function cut(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_TEXT + 2)];
  return characters.length > MAX_TEXT
    ? `${characters.slice(0, MAX_TEXT - 3).join('')}...`
    : characters.join('');
}
