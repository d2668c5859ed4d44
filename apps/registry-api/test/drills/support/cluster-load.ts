import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryProcess } from '../../registry-process.js';
import { pathOf, registration } from '../../running-registry.js';
import { FeedReader } from './feed-reader.js';
import { Timeline } from './timeline.js';

const WRITERS = 4;
const READERS = 4;

/** Between the requests of one caller, in milliseconds. */
const PAUSE_MS = 20;

/** Before a registration is tried again. */
const RETRY_MS = 100;

/** Between questions for readiness. */
const PROBE_MS = 100;

/**
 * What goes on while something happens to the database: callers register Clients, each with an Idempotency-Key until it is
 * acknowledged; others read them; a reader follows the feed; a balancer asks for readiness.
 */
export class ClusterLoad {
  /** Client ids by Idempotency-Key, which is also the Client's name. */
  readonly acknowledged = new Map<string, string>();
  /** Answers that no caller should get: neither success nor 503 with Retry-After. */
  readonly unexpected: string[] = [];
  readonly timeline = new Timeline();
  readonly feed: FeedReader;
  /** The Client that is read. */
  private read: string | undefined;
  private isWanted = true;
  /** What ended it early. */
  private failure: unknown;
  private readonly running: Promise<void>[];

  private constructor(
    private readonly registry: RegistryProcess,
    token: string,
    private readonly reader: string,
    private readonly reads: 'latest' | 'first',
  ) {
    this.feed = new FeedReader(registry, token);
    this.running = [
      this.probe(),
      ...Array.from({ length: WRITERS }, async () => this.write()),
      ...Array.from({ length: READERS }, async () => this.readOn()),
    ];
    // A failed test does not stop it, and Jest waits for whatever still runs: it ends with the registry at the latest.
    Promise.all(this.running).catch(async (error: unknown) => {
      this.failure = error;
      this.isWanted = false;
      await this.feed.stop();
    });
  }

  /** Resolves once it is under way. @param reads which Client is read: standbys do not have the latest at once */
  static async start(registry: RegistryProcess, reads: 'latest' | 'first' = 'latest'): Promise<ClusterLoad> {
    const body = { name: 'reader', scopes: ['clients:read'] };
    const reader = (await registry.ask('POST', '/token', { body })).body['token'];
    const load = new ClusterLoad(registry, await registry.token(), String(reader), reads);
    await load.more(20);
    return load;
  }

  /** Resolves once so many more registrations were acknowledged. @throws {Error} when that takes a minute */
  async more(count: number): Promise<void> {
    const [wanted, deadline] = [this.acknowledged.size + count, Date.now() + 60_000];
    while (this.acknowledged.size < wanted) {
      if (this.failure !== undefined) throw this.failure;
      if (Date.now() > deadline) throw new Error('no registration was acknowledged for a minute');
      await sleep(10);
    }
  }

  /** Ends the load; registrations under way are tried until they are acknowledged. */
  async stop(): Promise<void> {
    this.isWanted = false;
    await Promise.all(this.running);
  }

  private async write(): Promise<void> {
    for (; this.isWanted; await sleep(PAUSE_MS)) {
      const key = randomUUID();
      while (!(await this.register(key))) await sleep(RETRY_MS);
    }
  }

  private async register(key: string): Promise<boolean> {
    const sent = { body: registration({ client_name: key }), headers: { 'idempotency-key': key } };
    const { status, headers, body } = await this.registry.ask('POST', '/client', sent);
    if (status === 201) {
      this.timeline.note('written');
      const id = String(body['client_id']);
      if (this.reads === 'latest' || this.read === undefined) this.read = id;
      this.acknowledged.set(key, id);
      return true;
    }
    this.timeline.note('failed');
    if (status !== 503 || !headers.has('retry-after')) this.unexpected.push(`POST ${status}`);
    return false;
  }

  private async readOn(): Promise<void> {
    for (; this.isWanted; await sleep(PAUSE_MS)) {
      if (this.read === undefined) continue;
      const authorization = `Bearer ${this.reader}`;
      const { status, headers } = await this.registry.ask('GET', pathOf(this.read), {
        headers: { authorization },
      });
      if (status === 200) this.timeline.note('read');
      else if (status !== 503 || !headers.has('retry-after')) this.unexpected.push(`GET ${status}`);
    }
  }

  private async probe(): Promise<void> {
    for (; this.isWanted; await sleep(PROBE_MS)) {
      const { body } = await this.registry.ask('GET', '/health/ready');
      this.timeline.noteReadiness(body['status'] === 'ready');
    }
  }
}
