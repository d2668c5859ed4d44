import pg, { type ClientConfig } from 'pg';
import type { Attempt, ConnectionAttempts } from './connection-attempts.js';
import { isTooManyConnections } from './connection-share.js';
import { isRefusedParameter } from './time-limit.js';

type ConnectCallback = (error: Error) => void;

/** A connection to the server whose turn it is. */
export class AddressedClient extends pg.Client {
  /** Undefined when the connection URI, or a file that it names, cannot be read. */
  private readonly attempt: Attempt | undefined;
  private readonly obstacle: unknown;
  /** Version of the connection URI (ConnectionAttempts.version). */
  readonly uriVersion: number;
  /** When connecting began: `performance.now()`. */
  readonly openedAt = performance.now();

  /**
   * Never throws: the pool could not handle that.
   *
   * @param options what the connection URI does not specify
   * @param mayBeFormer see `ConnectionAttempts.next`
   */
  constructor(
    options: ClientConfig,
    private readonly attempts: ConnectionAttempts,
    mayBeFormer = true,
  ) {
    let chosen: ReturnType<ConnectionAttempts['next']> | undefined;
    let obstacle: unknown;
    try {
      chosen = attempts.next(mayBeFormer);
    } catch (error) {
      obstacle = error;
    }
    super({ ...options, connectionString: undefined, ...chosen?.config });
    // An error event without a listener ends the process. Queries reject, too, and the pool attaches a listener of its own, but
    // only after this message was handled: a server that shuts down may refuse the session right after accepting it.
    this.on('error', () => undefined);
    this.attempt = chosen?.attempt;
    if (chosen?.config.enableChannelBinding) requireChannelBinding(this);
    this.obstacle = obstacle;
    this.uriVersion = chosen?.version ?? 0;
  }

  /** Whether the connection URI has changed since, to one that may work. */
  get isOutdated(): boolean {
    return this.attempts.supersedes(this.uriVersion);
  }

  override connect(): Promise<this>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<this> | void {
    const connected = this.connectOrSkip();
    if (callback === undefined) return connected;
    connected.then(() => callback(undefined as unknown as Error), callback);
  }

  /**
   * The next connection leads elsewhere: this server did not answer, or is not of the wanted kind.
   *
   * @param isRejected see `ConnectionAttempts.failed`
   */
  skip(isRejected = false): void {
    if (this.attempt !== undefined) this.attempts.failed(this.attempt, isRejected);
  }

  private async connectOrSkip(): Promise<this> {
    if (this.obstacle !== undefined) throw this.obstacle;
    try {
      await super.connect();
      return this;
    } catch (error) {
      // The server answered, and is asked again: without the parameter, or later.
      if (!isRefusedParameter(error) && !isTooManyConnections(error)) this.skip(isRejectedLogin(error));
      throw error;
    }
  }
}

/** Whether the credentials were wrong: as in libpq, the other servers, which would reject them too, are not tried. */
export function isRejectedLogin(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === '28P01';
}

/** The mechanism that binds a login to the TLS connection (RFC 7677, RFC 5929). */
const BOUND_LOGIN = 'SCRAM-SHA-256-PLUS';

/** Lets the client log in only with channel binding: intercepting TLS yields neither a password nor a session. */
function requireChannelBinding({ connection }: pg.Client): void {
  const refuse = () => {
    const error = new Error(`channel_binding=require, but the server does not offer ${BOUND_LOGIN}`);
    connection.stream.destroy(error);
  };
  let isOffered = false;
  connection.prependListener('authenticationCleartextPassword', refuse);
  connection.prependListener('authenticationMD5Password', refuse);
  connection.prependListener('authenticationSASL', ({ mechanisms }: { readonly mechanisms: string[] }) => {
    isOffered = mechanisms.includes(BOUND_LOGIN);
    if (!isOffered) refuse();
  });
  // Without any login, as with the server's method `trust`.
  connection.prependListener('authenticationOk', () => {
    if (!isOffered) refuse();
  });
}
