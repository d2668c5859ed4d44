/** Options contradict each other, cannot be understood, or ask for what a file does not have; nothing was written. */
export class LookupOptionError extends Error {
  override readonly name = 'LookupOptionError';
}
