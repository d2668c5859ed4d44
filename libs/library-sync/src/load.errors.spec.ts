import { IncompleteLoadError, UnreadableStateError } from './load.errors.js';
import {
  LockLostError,
  OutcomeUnknownError,
  StoreRefusedError,
  StoreUnreachableError,
  WriteConflictError,
} from './ports/library-store.js';

const REPEAT = '; run the load again to complete it';

test.each([
  [
    new WriteConflictError('library', 'a.yaml', 'was written'),
    `stopped after 3 of 5 changes: a.yaml was written: another client changed it during the load${REPEAT}`,
  ],
  [
    new LockLostError('its node is gone'),
    `stopped after 3 of 5 changes: the lock was lost (its node is gone)${REPEAT}`,
  ],
  [new OutcomeUnknownError('no response'), `stopped after 3 of 5 changes: no response${REPEAT}`],
  [new StoreUnreachableError('it is away'), `stopped after 3 of 5 changes: it is away${REPEAT}`],
  [new StoreRefusedError('no permission'), 'stopped after 3 of 5 changes: no permission'],
  [
    UnreadableStateError.damaged('/x', 'it is not JSON'),
    'stopped after 3 of 5 changes: /x is damaged (it is not JSON); remove it, and the next load runs as if it had never existed',
  ],
  [
    new DOMException('This operation was aborted', 'AbortError'),
    `was interrupted after 3 of 5 changes${REPEAT}`,
  ],
])('%s: reports the progress, and suggests a retry only if it helps', (cause, rest) => {
  expect(new IncompleteLoadError(3, 5, cause).message).toBe(`the load ${rest}`);
});
