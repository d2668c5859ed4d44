import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const SWITCHES = [
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--window-size=1280,800',
];

interface Reply {
  readonly id?: number;
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/**
 * Debian's Chromium without Playwright, to measure page loads: the protocol's domains that Playwright enables make V8 compile a
 * page's scripts twice.
 */
export class BareChromium {
  private readonly replies = new Map<number, (reply: Reply) => void>();
  private lastId = 0;
  private received = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly profile: string,
  ) {
    const replies = child.stdio[4] as Readable;
    replies.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
  }

  /** With a fresh profile. */
  static async start(): Promise<BareChromium> {
    const profile = await mkdtemp(join(tmpdir(), 'bare-chromium-'));
    const child = spawn(HEADLESS_SHELL, [...SWITCHES, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    await once(child, 'spawn');
    return new BareChromium(child, profile);
  }

  /**
   * Visits a page in a new tab.
   *
   * @param script runs before those of the page; it sets `globalThis.measured` to a promise
   * @returns what that resolves with
   */
  async measureVisit<T>(url: string, script: string, visit: Visit): Promise<T> {
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const attach = { targetId, flatten: true };
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', attach);
    if (visit.clearCache) await this.send('Network.clearBrowserCache', {}, sessionId);
    await this.send('Page.enable', {}, sessionId);
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source: script }, sessionId);
    await this.send('Emulation.setCPUThrottlingRate', { rate: visit.slowdown }, sessionId);
    await this.send('Page.navigate', { url }, sessionId);
    const expression = { expression: 'measured', awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send<Evaluated<T>>(
      'Runtime.evaluate',
      expression,
      sessionId,
    );
    await this.send('Target.closeTarget', { targetId });
    if (exceptionDetails) throw new Error(`${url}: ${exceptionDetails.text}`);
    return result.value;
  }

  async stop(): Promise<void> {
    const isClosed = once(this.child, 'close');
    await this.send('Browser.close');
    await isClosed;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async send<T extends object>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    this.lastId += 1;
    const id = this.lastId;
    const reply = new Promise<Reply>((resolve) => this.replies.set(id, resolve));
    (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await reply;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }

  private receive(chunk: string): void {
    const messages = (this.received + chunk).split('\0');
    this.received = messages.pop() ?? '';
    for (const message of messages) {
      const reply = JSON.parse(message) as Reply;
      if (reply.id === undefined) continue;
      this.replies.get(reply.id)?.(reply);
      this.replies.delete(reply.id);
    }
  }
}

interface Visit {
  /** Downloads everything again, like a first visit. */
  readonly clearCache: boolean;
  /** How many times slower the page's processor is. */
  readonly slowdown: number;
}

interface Evaluated<T> {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: { readonly text: string };
}
