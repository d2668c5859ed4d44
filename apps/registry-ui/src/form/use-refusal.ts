import { useState } from 'react';
import { ApiError, type Violation } from '../api/api-error.js';
import { sameValue } from './form-values.js';

type Body = Readonly<Record<string, unknown>>;

/** What the server refused, and in which body. */
interface Refused {
  readonly violations: readonly Violation[];
  readonly body: Body;
  readonly failure: Error | undefined;
}

const NO_REFUSAL: Refused = { violations: [], body: {}, failure: undefined };

/** The server's word on what was sent. */
export interface Refusal {
  /** What it said of fields that are still as they were. */
  readonly violations: readonly Violation[];
  /** All that it said last: another list for every refusal. */
  readonly latest: readonly Violation[];
  /** Why the last attempt failed, where no field of the form is to blame. */
  readonly failure: Error | undefined;
  refuse(error: Error): void;
  forget(): void;
}

/**
 * Keeps what the server refused, for as long as `body` is as it was.
 *
 * @param shows whether violations of the field of that name are shown at an input
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

/** The name of the field that a JSON pointer leads to. */
export function fieldOf(pointer: string): string {
  return pointer.split('/')[1] ?? '';
}
