/** As many exports are under way in this process as may be. */
export class TooManyExportsError extends Error {
  override readonly name = 'TooManyExportsError';

  constructor(limit: number) {
    super(`${limit} exports are under way; try again when one has ended`);
  }
}
