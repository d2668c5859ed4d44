/** A growing list of unsigned 32-bit numbers. */
export class Uint32List {
  length = 0;
  private items = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  at(index: number): number {
    return this.items[index]!;
  }

  set(index: number, value: number): void {
    this.items[index] = value;
  }
}
