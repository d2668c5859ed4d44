import { type Problem, quote } from '@svc/client-metadata';

/** What was sent does not make a valid Client. */
export class InvalidClientError extends Error {
  override readonly name = 'InvalidClientError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
  }
}

export class ClientNotFoundError extends Error {
  override readonly name = 'ClientNotFoundError';

  constructor(readonly clientId: string) {
    super(`there is no client ${quote(clientId)}`);
  }
}

export class ClientExistsError extends Error {
  override readonly name = 'ClientExistsError';

  constructor(readonly clientId: string) {
    super(`a client ${quote(clientId)} is registered already`);
  }
}

/** The Client is no longer in the state that the caller had seen. */
export class ClientChangedError extends Error {
  override readonly name = 'ClientChangedError';

  constructor(readonly clientId: string) {
    super(`the client ${quote(clientId)} was changed meanwhile; read it again`);
  }
}

/** A page was asked for with a cursor that no answer has given. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError';

  /** @param found what it is; without it, nothing that any list has given */
  constructor(found?: 'of another sort or filter') {
    super(
      `the cursor is ${found ? `${found} than asked for` : 'not one that this list has given'}; begin without one`,
    );
  }
}
