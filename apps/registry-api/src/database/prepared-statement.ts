import { DataSource } from 'typeorm';
import { poolOf, type Transaction } from './transaction.js';

/** A statement that PostgreSQL parses and plans once per connection. */
export class PreparedStatement<Row extends object> {
  /**
   * @param name unique among all prepared statements
   * @param text SQL with `$1`, ... that lists its columns, so that later migrations do not change its result
   */
  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {}

  /**
   * @param on the transaction to run in, or the data source for a separate connection. Never use the data source while
   *   holding a transaction: the embedded database has only one connection
   */
  async run(on: DataSource | Transaction, values: readonly unknown[]): Promise<Row[]> {
    const connection = on instanceof DataSource ? poolOf(on) : on;
    const { rows } = await connection.query<Row>({ name: this.name, text: this.text, values: [...values] });
    return rows;
  }
}
