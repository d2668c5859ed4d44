/** Changes after a certain one were asked for, but not all of them can be had. */
export class ChangesGoneError extends Error {
  override readonly name = 'ChangesGoneError';

  /** @param reason why, for the caller */
  constructor(reason: string) {
    super(
      `${reason}; read the Clients anew (GET /clients/export) and go on from the seq that comes with them`,
    );
  }
}
