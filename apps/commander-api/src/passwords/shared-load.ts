/** Shares a load among the callers that arrive during the previous one: each gets what was read after its call. */
export class SharedLoad<T> {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | undefined;

  constructor(private readonly load: () => Promise<T>) {}

  async run(): Promise<T> {
    if (this.next === undefined) {
      this.next = this.running.then(async () => {
        this.next = undefined;
        return this.load();
      });
      this.running = this.next.catch(() => undefined);
    }
    return this.next;
  }
}
