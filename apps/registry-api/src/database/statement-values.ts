/** The values of a statement that is built from parts: each part adds its own and refers to them. */
export class StatementValues {
  readonly list: unknown[] = [];

  /** Begins with these, as `$1` and so on. */
  static of(values: readonly unknown[]): StatementValues {
    const made = new StatementValues();
    made.list.push(...values);
    return made;
  }

  /** @returns the value's placeholder, such as `$1` */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}
