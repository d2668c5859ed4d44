import { useRef } from 'react';
import { randomText } from './random-text.js';

/** The last request and its key. */
interface Attempt {
  readonly request: string;
  readonly key: string;
}

/** An Idempotency-Key for each request: the same one while the same request is retried. */
export function useIdempotencyKey() {
  const last = useRef<Attempt>(undefined);
  return {
    keyOf: (body: object): string => {
      const request = JSON.stringify(body);
      if (last.current?.request !== request) last.current = { request, key: randomText() };
      return last.current.key;
    },
    /** The next request is another one, even with the same body. */
    forget: (): void => {
      last.current = undefined;
    },
  };
}
