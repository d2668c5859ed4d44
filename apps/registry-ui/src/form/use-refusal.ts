import { useState } from 'react';
import { ApiError, type Violation } from '../api/api-error.js';
import { sameValue } from './form-values.js';

type Body = Readonly<Record<string, unknown>>;

interface Refused {
  readonly violations: readonly Violation[];
  readonly body: Body;
  readonly failure: Error | undefined;
}

const NO_REFUSAL: Refused = { violations: [], body: {}, failure: undefined };

/** The server's verdict on the last submission. */
export interface Refusal {
  /** Violations of fields that have not changed since. */
  readonly violations: readonly Violation[];
  /** All violations of the last refusal; a new array each time. */
  readonly latest: readonly Violation[];
  /** Why the last attempt failed, if no field of the form is responsible. */
  readonly failure: Error | undefined;
  refuse(error: Error): void;
  forget(): void;
}

/**
 * Keeps what the server refused until `body` changes.
 *
 * @param shows whether violations of the named field are shown at an input
 */
export function useRefusal(body: Body, shows: (name: string) => boolean): Refusal {
  const [refused, setRefused] = useState(NO_REFUSAL);
  return {
    violations: refused.violations.filter(({ field }) => {
      const name = fieldOf(field);
      return sameValue(refused.body[name], body[name]);
    }),
    latest: refused.violations,
    failure: refused.failure,
    refuse: (error) => {
      const named = error instanceof ApiError ? error.errors : [];
      const shown = named.some(({ field }) => shows(fieldOf(field)));
      setRefused({ violations: named, body, failure: shown ? undefined : error });
    },
    forget: () => setRefused(NO_REFUSAL),
  };
}

/** The field name in a JSON pointer. */
export function fieldOf(pointer: string): string {
  return pointer.split('/')[1] ?? '';
}
