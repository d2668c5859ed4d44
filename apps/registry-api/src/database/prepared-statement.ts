import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * A statement that PostgreSQL parses and plans once per connection. It takes a connection of its own from the pool:
 * never run one while a transaction is held, since the embedded database has only one connection to give.
 */
export class PreparedStatement<Row extends object> {
  /**
   * @param name unique among all prepared statements
   * @param text SQL with `$1`, ...; it lists its columns, so that a later migration does not change its result
   */
  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {}

  async run(dataSource: DataSource, values: readonly unknown[]): Promise<Row[]> {
    const { master } = dataSource.driver as unknown as { readonly master: Pool };
    const { rows } = await master.query<Row>({ name: this.name, text: this.text, values: [...values] });
    return rows;
  }
}
