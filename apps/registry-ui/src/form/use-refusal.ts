import { useState } from 'react';
import { ApiError, type FieldProblem } from '../api/api-error.js';
import { sameValue } from './form-values.js';

type Body = Readonly<Record<string, unknown>>;

/** What the server refused, and in which body. */
interface Refused {
  readonly problems: readonly FieldProblem[];
  readonly body: Body;
  readonly failure: Error | undefined;
}

const NOTHING: Refused = { problems: [], body: {}, failure: undefined };

/** The server's word on what was sent. */
export interface Refusal {
  /** What it said of fields that are still as they were. */
  readonly problems: readonly FieldProblem[];
  /** All that it said last: another list for every refusal. */
  readonly latest: readonly FieldProblem[];
  /** Why the last attempt failed, where no field of the form is to blame. */
  readonly failure: Error | undefined;
  refuse(error: Error): void;
  forget(): void;
}

/**
 * Keeps what the server refused, for as long as `body` is as it was.
 *
 * @param shows whether problems of the field of that name are shown at an input
 */
export function useRefusal(body: Body, shows: (name: string) => boolean): Refusal {
  const [refused, setRefused] = useState(NOTHING);
  return {
    problems: refused.problems.filter(({ field }) => {
      const name = fieldOf(field);
      return sameValue(refused.body[name], body[name]);
    }),
    latest: refused.problems,
    failure: refused.failure,
    refuse: (error) => {
      const named = error instanceof ApiError ? error.errors : [];
      const shown = named.some(({ field }) => shows(fieldOf(field)));
      setRefused({ problems: named, body, failure: shown ? undefined : error });
    },
    forget: () => setRefused(NOTHING),
  };
}

/** The name of the field that a JSON pointer leads to. */
export function fieldOf(pointer: string): string {
  return pointer.split('/')[1] ?? '';
}
