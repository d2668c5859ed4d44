/** The payloads of numbered texts. */
export class TextPayloads {
  private payloads = new Int32Array(1 << 12).fill(-1);

  /** @returns the text's payload, or a negative number if there is none */
  of(text: number): number {
    return text < this.payloads.length ? this.payloads[text]! : -1;
  }

  set(text: number, payload: number): void {
    if (text >= this.payloads.length) {
      const grown = new Int32Array(Math.max(text + 1, this.payloads.length * 2)).fill(-1);
      grown.set(this.payloads);
      this.payloads = grown;
    }
    this.payloads[text] = payload;
  }
}
