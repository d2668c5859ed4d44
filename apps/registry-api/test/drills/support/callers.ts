import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryProcess } from '../../registry-process.js';
import { type Answer, pathOf, registration } from '../../running-registry.js';

/** Callers that register and read Clients without end, one request after another, and go on after a 503. */
export class Callers {
  readonly statuses = new Map<number, number>();
  readonly acknowledged: string[] = [];
  /** Answers that no caller should get: neither success nor 503 with Retry-After. */
  readonly unexpected: Answer[] = [];
  /** The longest that anybody has waited for an answer, in milliseconds. */
  longestMs = 0;
  private isWanted = true;
  private readonly calling: Promise<void>[];

  /** @param count callers; the first half registers */
  constructor(
    private readonly registry: RegistryProcess,
    count: number,
  ) {
    this.calling = Array.from({ length: count }, async (_, index) => this.call(index < count / 2));
  }

  /**
   * Resolves once so many more answers had this status.
   *
   * @throws {Error} with what was answered, when that takes a minute
   */
  async answered(status: number, count: number): Promise<void> {
    const wanted = (this.statuses.get(status) ?? 0) + count;
    const deadline = Date.now() + 60_000;
    while ((this.statuses.get(status) ?? 0) < wanted) {
      if (Date.now() > deadline) throw new Error(`no ${status}: ${this.summary()}`);
      await sleep(10);
    }
  }

  /** How often each status was answered. */
  summary(): string {
    const counts = [...this.statuses].sort(([a], [b]) => a - b);
    return counts.map(([status, count]) => `${count} × ${status}`).join(', ');
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    await Promise.all(this.calling);
  }

  private async call(registers: boolean): Promise<void> {
    while (this.isWanted) {
      const began = performance.now();
      const answer = await this.ask(registers);
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.note(answer);
      if (answer.status === 503) await sleep(20);
    }
  }

  private async ask(registers: boolean): Promise<Answer> {
    const latest = this.acknowledged.at(-1);
    return registers || latest === undefined
      ? this.registry.ask('POST', '/client', { body: registration() })
      : this.registry.ask('GET', pathOf(latest));
  }

  private note(answer: Answer): void {
    const { status, headers, body } = answer;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 201) this.acknowledged.push(String(body['client_id']));
    const isExpected = [200, 201].includes(status) || (status === 503 && headers.has('retry-after'));
    if (!isExpected) this.unexpected.push(answer);
  }
}
