import { text } from '../texts/text.js';

/** One thing wrong with a request: where, by which rule, and the rule for people. */
export interface FieldProblem {
  /** A JSON pointer into the body, such as `/redirect_uris/1`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The answer of a request that failed. Its message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status; 0 when there was no answer at all. */
    readonly status: number,
    message: string,
    readonly errors: readonly FieldProblem[] = [],
    /** Finds the request in the service's log. */
    readonly requestId?: string,
  ) {
    super(message);
  }
}

/** Reads problem+json (RFC 9457); any other body counts as none. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const problems = fieldProblems(member(body, 'errors'));
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new ApiError(response.status, messageOf(response, body, problems), problems, requestId);
}

/** The problems in their own words where there are some: `detail` puts pointers before them, which are for programs. */
function messageOf({ status }: Response, body: unknown, problems: readonly FieldProblem[]): string {
  if (problems.length > 0) return problems.map(({ message }) => message).join('; ');
  const detail = member(body, 'detail');
  return typeof detail === 'string' ? detail : text('error.status', { status: String(status) });
}

function fieldProblems(value: unknown): FieldProblem[] {
  return Array.isArray(value) ? value.filter(isFieldProblem) : [];
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return ['field', 'code', 'message'].every((name) => typeof member(value, name) === 'string');
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
