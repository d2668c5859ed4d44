import { formatMessage, type OptionFormatter, type OptionMessage } from '../messages/option-message.js';

/** A rule that the input breaks, and where. */
export interface InputViolation {
  readonly file: string;
  /** Line on which the row starts, from 1; absent when the whole file is invalid. */
  readonly row?: number;
  /** Column name, cut to 80 characters, or its number from 1 where names are not known. */
  readonly column?: string;
  /** The offending text, cut to 80 characters. */
  readonly text?: string;
  readonly reason: string;
  /** The reason where it mentions options; `reason` names them as the command line does. */
  readonly template?: OptionMessage;
}

/** How many violations are listed; the rest is only counted. */
export const MAX_LISTED_VIOLATIONS = 20;

const MAX_TEXT = 80;

/** The reason for a cell or header that is not text. */
export const INVALID_UTF8 = 'is not valid UTF-8';

/** The input cannot be used. Holds the first {@link MAX_LISTED_VIOLATIONS} violations and how many there are in all. */
export class LookupInputError extends Error {
  override readonly name = 'LookupInputError';

  /** @param skippable true when the violations are rows without which the file could be used */
  constructor(
    readonly violations: readonly InputViolation[],
    readonly count: number = violations.length,
    readonly skippable = false,
  ) {
    const more = count > violations.length ? [`... and ${count - violations.length} more`] : [];
    super([...violations.map((violation) => describeViolation(violation)), ...more].join('\n'));
  }
}

/** Names the options in a violation as `formatOption` does; as the command line does when absent. */
export function nameOptions(
  { template, ...violation }: InputViolation,
  formatOption?: OptionFormatter,
): InputViolation {
  return template === undefined ? violation : { ...violation, reason: formatMessage(template, formatOption) };
}

/** One line: place, text, reason. */
export function describeViolation({ file, row, column, text, reason }: InputViolation): string {
  const place = [row === undefined ? '' : ` row ${row}`, column === undefined ? '' : ` column ${column}`];
  const where = place.filter(Boolean).join(',');
  return `${file}:${where}${where ? ':' : ''} ${text === undefined ? '' : `${JSON.stringify(text)} `}${reason}`;
}

/** Collects violations while a file is read. */
export class ViolationList {
  count = 0;
  readonly listed: InputViolation[] = [];

  constructor(readonly file: string) {}

  add(row: number, reason: string | OptionMessage, column?: string, text?: string): void {
    this.count++;
    if (this.listed.length < MAX_LISTED_VIOLATIONS)
      this.listed.push(this.violation(row, reason, column, text));
  }

  /** An error for the rows collected, none of which has been skipped. */
  invalidRows(): LookupInputError {
    return new LookupInputError(this.listed, this.count, true);
  }

  /** An error for what makes the whole file useless, whatever is to be skipped. */
  fatal(
    row: number | undefined,
    reason: string | OptionMessage,
    column?: string,
    text?: string,
  ): LookupInputError {
    return new LookupInputError([this.violation(row, reason, column, text)]);
  }

  private violation(
    row: number | undefined,
    reason: string | OptionMessage,
    column?: string,
    text?: string,
  ): InputViolation {
    return {
      file: this.file,
      ...(row === undefined ? {} : { row }),
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
