/** The values of a statement that is built from parts: each part adds its own and refers to them. */
export class StatementValues {
  readonly list: unknown[] = [];

  /** @returns the value's placeholder, such as `$1` */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}
