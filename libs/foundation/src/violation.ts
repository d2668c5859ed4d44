/** A violated rule, without its location. */
export interface RuleViolation {
  /** Stable code of the violated rule, for programs. */
  readonly code: string;
  /** A sentence for users, with the rule's source if there is one. */
  readonly message: string;
}

/** A violated rule and its location. */
export interface Violation extends RuleViolation {
  /** JSON pointer (RFC 6901) into a body or a query, such as `/redirect_uris/1`; empty for the whole of it. */
  readonly field: string;
}

/** A response lists this many violations at most. */
export const MAX_VIOLATIONS = 200;

/** The violations that a response lists: the first ones, and a count of the rest. */
export function limitViolations(violations: readonly Violation[]): readonly Violation[] {
  const surplus = violations.length - MAX_VIOLATIONS;
  return surplus > 0 ? [...violations.slice(0, MAX_VIOLATIONS), furtherViolations(surplus)] : violations;
}

/** Stands for the violations beyond a list's limit. @param field what all of them are in */
export function furtherViolations(count: number, field = ''): Violation {
  const message = count === 1 ? 'there is 1 more violation' : `there are ${count} more violations`;
  return { field, code: 'more_problems', message };
}

/** The JSON pointer (RFC 6901 section 3) for these names and indexes. */
export function pointerTo(...path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
