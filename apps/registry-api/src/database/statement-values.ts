/** The values of a statement that is put together from parts: each part adds its own and names them. */
export class StatementValues {
  readonly list: unknown[] = [];

  /** @returns the placeholder that stands for the value, such as `$1` */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}
