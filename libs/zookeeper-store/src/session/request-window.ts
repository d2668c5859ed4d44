/** Lets at most so many requests be under way; the others wait in order. */
export class RequestWindow {
  private free: number;
  private waiting: (() => void)[] = [];
  private head = 0;

  constructor(size: number) {
    this.free = size;
  }

  async enter(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  leave(): void {
    const next = this.waiting[this.head];
    if (next === undefined) {
      this.free += 1;
      return;
    }
    this.head += 1;
    // An array's shift is linear: cut off what was served only now and then.
    if (this.head === 1_024) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    next();
  }
}
