/** A row of an input file. */
export interface InputPlace {
  readonly file: string;
  readonly row: number;
}

/** Where the lines of several files, read as one, come from. */
export class InputPlaces {
  private readonly files: { readonly file: string; readonly linesBefore: number }[] = [];

  /** Assigns the following lines to `file`. */
  begin(file: string, linesBefore: number): void {
    this.files.push({ file, linesBefore });
  }

  /** @param line 1-based, counted over all files */
  of(line: number): InputPlace {
    const { file, linesBefore } = this.files.findLast((begun) => begun.linesBefore < line) ?? this.files[0]!;
    return { file, row: line - linesBefore };
  }

  /** A row as messages name it: with its file, if there are several. */
  describe(line: number): string {
    const { file, row } = this.of(line);
    return this.files.length > 1 ? `${row} of ${file}` : String(row);
  }
}
