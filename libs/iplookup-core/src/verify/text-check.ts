import { LookupInputError } from '../build/input-violations.js';

/** The longest row that a build takes. */
const MAX_ROW_LENGTH = 1 << 20;

type Place = 'start of cell' | 'blanks at start' | 'unquoted' | 'quoted' | 'closed quote';

/** Finds text that fast-csv reads in another way than a build, which follows RFC 4180. */
export class TextCheck {
  private at: Place = 'start of cell';
  private isAfterReturn = false;
  private rowLength = 0;
  private row: number;

  /** @param line of the first row */
  constructor(
    private readonly file: string,
    private readonly separator: string,
    private line: number,
  ) {
    this.row = line;
  }

  /** @throws {LookupInputError} for such text, and for quotes that stay open, which fast-csv would collect in memory */
  push(text: string): void {
    for (const character of text) this.next(character);
  }

  private next(character: string): void {
    this.rowLength++;
    if (character === '\n') this.line++;
    if (this.at === 'quoted') {
      if (character === '"') this.at = 'closed quote';
      else if (character === '\n' && this.rowLength > MAX_ROW_LENGTH) throw malformedQuotes(this.file);
      return;
    }
    if (this.isAfterReturn && character !== '\n')
      throw this.violation(
        'has a carriage return outside quotes, with which a comparison would end the row: remove it first',
      );
    this.isAfterReturn = character === '\r';
    if (character === '\n') this.startRow();
    else if (character === this.separator) this.at = 'start of cell';
    else if (character === '"') this.quote();
    else if (this.at !== 'closed quote' && character !== '\r') this.at = this.afterPlain(character);
  }

  private startRow(): void {
    this.at = 'start of cell';
    this.row = this.line;
    this.rowLength = 0;
  }

  private quote(): void {
    if (this.at === 'blanks at start')
      throw this.violation(
        'has blanks before a quote, which a comparison would leave out with the quotes: remove them first',
      );
    if (this.at !== 'unquoted') this.at = 'quoted';
  }

  private afterPlain(character: string): Place {
    return this.at === 'unquoted' || !/\s/.test(character) ? 'unquoted' : 'blanks at start';
  }

  private violation(reason: string): LookupInputError {
    return new LookupInputError([{ file: this.file, row: this.row, reason }]);
  }
}

export function malformedQuotes(file: string): LookupInputError {
  const reason = 'has rows with malformed quotes, which a comparison cannot skip: fix them first';
  return new LookupInputError([{ file, reason }]);
}
