import type { Problem as Fault } from '@svc/client-metadata';

/** Some lines are at fault, so nothing was imported. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError';

  /** @param faults each with its line in `field`, such as `/lines/3/redirect_uris/0` */
  constructor(readonly faults: readonly Fault[]) {
    super('some lines cannot be imported, so none was');
  }
}

/** The body is longer than an import may be. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor() {
    super('the body is larger than 100 MiB');
  }
}

/** The disk is full on which the body is kept until it is read. */
export class NoRoomForBodyError extends Error {
  override readonly name = 'NoRoomForBodyError';

  constructor(cause: unknown) {
    super('there is no room on the disk for the body', { cause });
  }
}

/** The body has more Clients than an import may have. */
export class TooManyClientsError extends Error {
  override readonly name = 'TooManyClientsError';

  constructor(limit: number) {
    super(`an import is of ${limit} Clients at most`);
  }
}

/** Other imports are under way: on this process, or on another one with the same database. */
export class ImportUnderWayError extends Error {
  override readonly name = 'ImportUnderWayError';

  constructor() {
    super('another import is under way; try again when it has ended');
  }
}

/** Somebody else registered a Client of the import meanwhile. */
export class ImportConflictError extends Error {
  override readonly name = 'ImportConflictError';

  constructor() {
    super('a Client of the import was registered by somebody else meanwhile');
  }
}

/** Whoever asked for the import is gone, so nothing was imported. */
export class ImportAbandonedError extends Error {
  override readonly name = 'ImportAbandonedError';

  constructor() {
    super('the caller went away before the import ended');
  }
}
