/** A broken rule, before its place is known. */
export interface RuleViolation {
  /** Stable, for programs: the rule that was broken. */
  readonly code: string;
  /** For users: one sentence that names the rule's source where there is one. */
  readonly message: string;
}

/** A broken rule and where it was broken. */
export interface Violation extends RuleViolation {
  /** JSON pointer (RFC 6901) into a body or a query, such as `/redirect_uris/1`; empty for the whole of it. */
  readonly field: string;
}

/** The JSON pointer (RFC 6901 section 3) that follows these names and indexes. */
export function pointerTo(...path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
