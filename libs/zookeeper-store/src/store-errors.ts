import {
  LockLostError,
  OutcomeUnknownError,
  StoreRefusedError,
  StoreUnreachableError,
  WriteConflictError,
  type WriteOperation,
} from '@svc/library-sync';
import { REPLY_TOO_LARGE, SessionEndedError, ZookeeperError } from './session/zookeeper-error.js';

const CONFLICTS: Readonly<Record<string, string>> = {
  NODE_EXISTS: 'already exists',
  NO_NODE: 'or its parent is gone',
  BAD_VERSION: 'was written',
  NOT_EMPTY: 'has new children',
};

const UNKNOWN_OUTCOMES = new Set([
  'CONNECTION_LOSS',
  'OPERATION_TIMEOUT',
  'REQUEST_TIMEOUT',
  'SESSION_MOVED',
]);

/** What a failed batch means. */
export function toWriteError(error: unknown, batch: readonly WriteOperation[]): unknown {
  if (!(error instanceof ZookeeperError)) return asStoreError(error);
  if (UNKNOWN_OUTCOMES.has(error.reason)) return new OutcomeUnknownError(error.message, { cause: error });
  if (error.index === 0) return new LockLostError("the lock's node is gone");
  const operation = error.index === undefined ? undefined : batch[error.index - 1];
  const reason = CONFLICTS[error.reason];
  if (operation && reason) return new WriteConflictError(operation.area, operation.path, reason);
  return asStoreError(error);
}

/** The port's error for one of ZooKeeper's; others stay as they are. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof SessionEndedError) return new StoreUnreachableError(error.message, { cause: error });
  if (!(error instanceof ZookeeperError)) return error;
  if (UNKNOWN_OUTCOMES.has(error.reason)) {
    return new StoreUnreachableError(`ZooKeeper does not respond (${error.message})`, { cause: error });
  }
  if (error.code === REPLY_TOO_LARGE) {
    const { operation, path } = error;
    return new StoreRefusedError(
      `the reply to ${operation} ${path} is larger than destination.max_reply; raise it if the node is meant to be that large`,
      { cause: error },
    );
  }
  return new StoreRefusedError(`ZooKeeper refused to ${error.message}${REMEDIES[error.reason] ?? ''}`, {
    cause: error,
  });
}

const REMEDIES: Readonly<Record<string, string>> = {
  NO_AUTH: ' (no permission; set destination.auth to a user who has it)',
  INVALID_ACL: ' (the access rules need destination.auth)',
  SESSION_CLOSED_REQUIRE_SASL_AUTH:
    ' (the cluster requires authentication; set destination.auth if it accepts digest: SASL is not supported)',
  QUOTA_EXCEEDED: ' (raise the quota or make the library smaller)',
};

/** @throws {@link asStoreError} */
export function toStoreError(error: unknown): never {
  throw asStoreError(error);
}
