import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval between readiness probes, in milliseconds. */
const PROBE_MS = 50;

/** A request and its expected status. */
export interface BalancedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

/**
 * Callers behind a load balancer: each sends requests continuously to one of the ready replicas, over keep-alive
 * connections. Nothing is retried, so every dropped request is counted.
 */
export class BalancedCallers {
  answered = 0;
  /** Requests without a response, or with an unexpected status. */
  readonly failed: string[] = [];
  private readonly replicas = new Set<string>();
  private ready: readonly string[] = [];
  private isWanted = true;
  private readonly running: Promise<unknown>[];

  constructor(
    private readonly asked: BalancedRequest,
    count: number,
  ) {
    this.running = [this.probe(), ...Array.from({ length: count }, async () => this.call())];
  }

  add(url: string): void {
    this.replicas.add(url);
  }

  remove(url: string): void {
    this.replicas.delete(url);
  }

  /** Resolves after this many more responses. */
  async more(count: number): Promise<void> {
    const wanted = this.answered + count;
    while (this.answered < wanted && this.failed.length === 0) await sleep(10);
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    await Promise.all(this.running);
  }

  /** Resolves once the balancer uses this many replicas. */
  async balancing(count: number): Promise<void> {
    while (this.ready.length !== count) await sleep(10);
  }

  private async probe(): Promise<void> {
    for (; this.isWanted; await sleep(PROBE_MS)) {
      const asked = [...this.replicas].map(async (url) => {
        const { status } = await answerOf(url, { method: 'GET', path: '/health/ready', status: 200 });
        return status === 200 ? [url] : [];
      });
      this.ready = (await Promise.all(asked.map(async (answer) => answer.catch(() => [])))).flat();
    }
  }

  private async call(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (this.isWanted) {
      const url = this.ready[Math.floor(Math.random() * this.ready.length)];
      if (url === undefined) await sleep(PROBE_MS);
      else await this.ask(url, agent);
    }
    agent.destroy();
  }

  private async ask(url: string, agent: Agent): Promise<void> {
    try {
      const { status, body } = await answerOf(url, this.asked, agent);
      if (status === this.asked.status) this.answered += 1;
      else this.failed.push(`${url}: ${status} ${body}`);
    } catch (error) {
      this.failed.push(`${url}: ${String(error)}`);
    }
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

async function answerOf(url: string, asked: BalancedRequest, agent?: Agent): Promise<Answer> {
  const { method, path, headers = {}, body } = asked;
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, ...(agent && { agent }) }, (response) => {
      text(response).then((read) => resolve({ status: response.statusCode, body: read }), reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
