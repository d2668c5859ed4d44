/** Lets a limited number work at once; the others wait in line. */
export class Semaphore {
  private taken = 0;
  private readonly line: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken < this.limit) this.taken += 1;
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever is next takes over this turn, so the count stays.
      const next = this.line.shift();
      if (next) next();
      else this.taken -= 1;
    }
  }
}
