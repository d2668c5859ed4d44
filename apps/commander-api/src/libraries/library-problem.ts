import { InvalidLibraryError } from '@svc/library-sync';
import { type FieldProblem, Problem } from '@svc/service-kit';
import { toLibraryFailure } from './library-failure.js';

const RETRY_AFTER_S = '10';

/** An error of a library as an answer; errors that are none of ours pass as they are. */
export function toLibraryProblem(error: unknown): unknown {
  const failure = toLibraryFailure(error);
  if (!failure) return error;
  const { status, message } = failure;
  const [detail = message] = message.split('\n');
  return new Problem({
    status,
    detail: detail.replace(/:$/, '.'),
    cause: error,
    ...(error instanceof InvalidLibraryError && { title: 'Invalid library', errors: toFieldProblems(error) }),
    ...(status === 503 && { headers: { 'retry-after': RETRY_AFTER_S } }),
  });
}

/** An answer names so many errors; `detail` counts all of them. */
const MAX_ERRORS = 100;

/** `field` is the file's place: path, line, column. */
function toFieldProblems({ problems }: InvalidLibraryError): FieldProblem[] {
  return problems
    .filter(({ severity }) => severity === 'error')
    .slice(0, MAX_ERRORS)
    .map(({ path, line, column, code, message }) => ({
      field: [path, line, column].filter((part) => part !== undefined).join(':'),
      code,
      message,
    }));
}
