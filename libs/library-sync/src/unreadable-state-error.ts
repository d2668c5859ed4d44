/** A node that the loader keeps for itself cannot be read: someone else wrote it, or a later loader. */
export class UnreadableStateError extends Error {
  override readonly name = 'UnreadableStateError';

  /** @param node as the store calls it */
  static damaged(node: string, reason: string, cause?: unknown): UnreadableStateError {
    return new UnreadableStateError(
      `${node} is damaged (${reason}); remove it: the next load compares as without it`,
      { cause },
    );
  }

  /** @param node as the store calls it */
  static later(node: string): UnreadableStateError {
    return new UnreadableStateError(`${node} was written by a later svccmd; use that one or a newer one`);
  }
}
