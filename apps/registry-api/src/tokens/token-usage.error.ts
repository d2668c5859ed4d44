/** The command line does not say what to do with tokens. */
export class TokenUsageError extends Error {
  override readonly name = 'TokenUsageError';
}
