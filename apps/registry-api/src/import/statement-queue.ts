/** Statements of one connection, each sent once the one ahead of it has ended. After a fault none is sent any more. */
export class StatementQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** @returns what the statements answer; the fault of earlier ones when there was one. It may be awaited later. */
  run<T>(statements: () => Promise<T>): Promise<T> {
    const answer = this.last.then(statements);
    // Nobody may be left to await it when something else ends the work: that is no unhandled fault.
    answer.catch(() => undefined);
    this.last = answer;
    return answer;
  }

  /** Resolves when nothing is under way any more, whether it went well or not. */
  async idle(): Promise<void> {
    await this.last.catch(() => undefined);
  }
}
