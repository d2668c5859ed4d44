/** The values of ZooKeeper's `KeeperException.Code` used here. */
export const RUNTIME_INCONSISTENCY = -2;
export const CONNECTION_LOSS = -4;
export const UNIMPLEMENTED = -6;
export const OPERATION_TIMEOUT = -7;
export const BAD_ARGUMENTS = -8;
export const NO_NODE = -101;
export const NO_AUTH = -102;
/** Not one of ZooKeeper's: the reply exceeds this client's limit. */
export const REPLY_TOO_LARGE = -10_000;

/** Names of `KeeperException.Code`, including codes newer than the driver. */
const NAMES: Readonly<Record<number, string>> = {
  [-1]: 'SYSTEM_ERROR',
  [-2]: 'RUNTIME_INCONSISTENCY',
  [-3]: 'DATA_INCONSISTENCY',
  [-4]: 'CONNECTION_LOSS',
  [-5]: 'MARSHALLING_ERROR',
  [-6]: 'UNIMPLEMENTED',
  [-7]: 'OPERATION_TIMEOUT',
  [-8]: 'BAD_ARGUMENTS',
  [-100]: 'API_ERROR',
  [-101]: 'NO_NODE',
  [-102]: 'NO_AUTH',
  [-103]: 'BAD_VERSION',
  [-108]: 'NO_CHILDREN_FOR_EPHEMERALS',
  [-110]: 'NODE_EXISTS',
  [-111]: 'NOT_EMPTY',
  [-112]: 'SESSION_EXPIRED',
  [-113]: 'INVALID_CALLBACK',
  [-114]: 'INVALID_ACL',
  [-115]: 'AUTH_FAILED',
  [-118]: 'SESSION_MOVED',
  [-119]: 'NOT_READONLY',
  [-120]: 'EPHEMERAL_ON_LOCAL_SESSION',
  [-121]: 'NO_WATCHER',
  [-122]: 'REQUEST_TIMEOUT',
  [-123]: 'RECONFIG_DISABLED',
  [-124]: 'SESSION_CLOSED_REQUIRE_SASL_AUTH',
  [-125]: 'QUOTA_EXCEEDED',
  [-127]: 'THROTTLED_OP',
  [REPLY_TOO_LARGE]: 'REPLY_TOO_LARGE',
};

/** An operation failed. `reason` is ZooKeeper's name for the error. */
export class ZookeeperError extends Error {
  override readonly name = 'ZookeeperError';
  readonly reason: string;

  /**
   * @param operation such as `create`
   * @param path the node; in a multi, that of the operation that failed
   * @param index in a multi, which operation failed
   */
  constructor(
    readonly operation: string,
    readonly path: string,
    readonly code: number,
    readonly index?: number,
  ) {
    const reason = nameOfCode(code);
    super(`${operation} ${path}: ${reason}`);
    this.reason = reason;
  }
}

export function nameOfCode(code: number): string {
  return NAMES[code] ?? `error ${code}`;
}

/** The session is over: it expired, its servers stayed unreachable, or it was closed. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';

  /** @param reason `lost` if no server could be reached */
  constructor(
    readonly reason: 'expired' | 'lost' | 'refused' | 'closed',
    message: string,
  ) {
    super(message);
  }
}
