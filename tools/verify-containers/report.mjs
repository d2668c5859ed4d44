/** Prints results as they occur, and keeps measurements for a summary. */
export class Report {
  figures = [];
  #checks = 0;
  #started = performance.now();

  async section(title, work) {
    console.log(`\n${title}`);
    await work();
  }

  /** Reports a successful check. */
  held(fact) {
    this.#checks += 1;
    console.log(`  ok  ${fact}`);
  }

  /** @throws {Error} if the check fails */
  check(fact, holds, seen) {
    if (!holds) throw new Error(`${fact}: does not hold${seen === undefined ? '' : `, seen: ${show(seen)}`}`);
    this.held(fact);
  }

  figure(what, value) {
    this.figures.push({ what, value });
    console.log(`      ${what}: ${value}`);
  }

  close() {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    console.log(`\nfigures\n${this.figures.map(({ what, value }) => `  ${what}: ${value}`).join('\n')}`);
    console.log(`\n${this.#checks} checks hold, ${seconds} s`);
  }
}

const show = (seen) => (typeof seen === 'string' ? seen : JSON.stringify(seen)).slice(0, 2000);
