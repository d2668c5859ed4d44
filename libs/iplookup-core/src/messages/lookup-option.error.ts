import { inWords, type Wording } from './wording.js';

/** Options contradict each other, cannot be understood, or ask for what a file does not have; nothing was written. */
export class LookupOptionError extends Error {
  override readonly name = 'LookupOptionError';

  /** @param wording the message; `message` names options as the command line does */
  constructor(readonly wording: string | Wording) {
    super(inWords(wording));
  }
}
