import { once } from 'node:events';
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a registry that can block only the change feed. */
export class Door {
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

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const isFeed = request.url?.startsWith('/clients/changes') === true;
    if (isFeed && this.isFeedLost) return void response.writeHead(503).end();
    if (isFeed) this.feeds.add(response);
    const { method, headers } = request;
    const passed = ask(new URL(request.url ?? '', this.target()), { method, headers }, (answer) => {
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
}
