import { once } from 'node:events';
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a usage report: `received` by the registry, and `answered` by it. */
export type ReportMoment = 'received' | 'answered';

/** A proxy in front of a registry that can block only the change feed, and interrupt usage reports. */
export class Door {
  /** When each report arrived that was counted, in milliseconds. */
  readonly countedReports: number[] = [];
  private interruption: { readonly moment: ReportMoment; readonly act: () => void } | undefined;
  private isFeedLost = false;
  private readonly feeds = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    private readonly target: () => string,
  ) {}

  /** @param target the registry's address at the time of a request */
  static async open(target: () => string): Promise<Door> {
    const server = createServer();
    const door = new Door(server, target);
    server.on('request', (request, response) => door.pass(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return door;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Cuts the feed, and blocks it until {@link returnFeed}. */
  loseFeed(): void {
    this.isFeedLost = true;
    for (const feed of this.feeds) feed.destroy();
  }

  returnFeed(): void {
    this.isFeedLost = false;
  }

  /** Calls `act` at this moment of the next report, whose response is lost. */
  async interruptReport(moment: ReportMoment, act: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.interruption = {
        moment,
        act: () => {
          act();
          resolve();
        },
      };
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const isFeed = request.url?.startsWith('/clients/changes') === true;
    if (isFeed && this.isFeedLost) return void response.writeHead(503).end();
    if (isFeed) this.feeds.add(response);
    const interruption = request.url === '/clients/usage' ? this.takeInterruption() : undefined;
    if (interruption?.moment === 'received')
      request.once('end', () => setTimeout(interruption.act, Math.random() * 20));
    const { method, headers } = request;
    const arrivedAt = Date.now();
    const passed = ask(new URL(request.url ?? '', this.target()), { method, headers }, (answer) => {
      if (request.url === '/clients/usage' && answer.statusCode === 200) this.countedReports.push(arrivedAt);
      if (interruption?.moment === 'answered') interruption.act();
      if (interruption) return void response.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    passed.once('error', () => response.destroy());
    response.once('close', () => {
      this.feeds.delete(response);
      passed.destroy();
    });
    request.pipe(passed);
  }

  private takeInterruption() {
    const { interruption } = this;
    this.interruption = undefined;
    return interruption;
  }
}
