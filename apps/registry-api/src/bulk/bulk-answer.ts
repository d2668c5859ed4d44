import { errorDescriptionOf, pointerTo, type Violation } from '@svc/client-metadata';
import { furtherViolations, MAX_VIOLATIONS } from '@svc/foundation';
import { Problem } from '@svc/service-kit';
import { InvalidClientError } from '../clients/client.errors.js';
import { hasErrorCode } from '../errors/registry-error.js';
import { toEntityTag } from '../http/conditional-requests.js';
import { toProblem } from '../http/problems.js';
import type { BulkRefusedError, OperationResult, Refusal } from './bulk-planner.js';
import type { BulkOperation, BulkRequest } from './bulk-request.js';
import type { BulkAnswer, BulkResult } from './bulk.dto.js';

/** The status of each kind of operation when carried out on its own. */
const STATUSES: Readonly<Record<BulkOperation['op'], number>> = {
  register: 201,
  update: 200,
  enable: 200,
  disable: 200,
  delete: 204,
};

export function toBulkAnswer(
  { atomic, dryRun, operations }: BulkRequest,
  results: readonly OperationResult[],
): BulkAnswer {
  const failed = results.filter((result) => 'error' in result).length;
  return {
    atomic,
    dry_run: dryRun,
    succeeded: results.length - failed,
    failed,
    results: withFewProblems(
      operations.map((operation, index) => ({
        index,
        op: operation.op,
        ...answerOf(operation, results[index], dryRun),
      })),
    ),
  };
}

/** Once so many are listed, each failed operation names its first one and counts the rest. */
function withFewProblems(results: readonly BulkResult[]): BulkResult[] {
  let listed = 0;
  return results.map((result) => {
    if (!result.problem?.errors) return result;
    const { errors } = result.problem;
    const room = Math.max(1, MAX_VIOLATIONS - listed);
    listed += errors.length;
    if (errors.length <= room) return result;
    const few = [...errors.slice(0, room), furtherViolations(errors.length - room)];
    return { ...result, problem: { ...result.problem, errors: few } };
  });
}

function answerOf(
  operation: BulkOperation,
  result: OperationResult | undefined,
  dryRun: boolean,
): Omit<BulkResult, 'index' | 'op'> {
  if (!result) throw new Error('an operation without a result');
  if ('error' in result) return { ...namedIn(operation), ...refusedAs(result.error) };
  const { clientId, changed, revision, secret } = result;
  return {
    // A client_id that a dry run generated will not be used.
    ...(operation.op === 'register' && dryRun ? namedIn(operation) : { client_id: clientId }),
    status: STATUSES[operation.op],
    changed,
    ...(revision !== undefined && operation.op !== 'delete' && { etag: toEntityTag(revision) }),
    ...(secret !== undefined && { client_secret: secret }),
  };
}

function namedIn(operation: BulkOperation): { client_id?: string } {
  if (operation.op !== 'register') return { client_id: operation.client_id };
  const asked = (operation.client as { preferred_client_id?: unknown } | null)?.preferred_client_id;
  return typeof asked === 'string' ? { client_id: asked } : {};
}

/** @throws other errors, which are bugs */
export function refusedAs(error: unknown): Required<Pick<BulkResult, 'status' | 'problem'>> {
  const problem = asProblem(error);
  const { detail, error: code, errors } = problem.toDocument('', '');
  return { status: problem.status, problem: { error: code, detail, ...(errors && { errors }) } };
}

/** @throws other errors, which are bugs */
function asProblem(error: unknown): Problem {
  const problem = error instanceof Problem ? error : toProblem(error);
  if (!problem) throw error;
  return problem;
}

/** The answer when operations were to be carried out together: every violation, at its place in the request. */
export function toBulkProblem({ refusals }: BulkRefusedError): Problem {
  const violations: Violation[] = [];
  for (const refusal of refusals)
    violations.push(...violationsOf(refusal, MAX_VIOLATIONS - violations.length));
  const surplus = refusals.reduce((count, { error }) => count + countOf(error), 0) - violations.length;
  return new Problem({
    status: commonStatusOf(refusals),
    detail: `Nothing was changed: ${errorDescriptionOf(violations)}`,
    errors: surplus > 0 ? [...violations, furtherViolations(surplus, '/operations')] : violations,
  });
}

/** 400 where the refusals differ. */
function commonStatusOf(refusals: readonly Refusal[]): number {
  const statuses = new Set(
    refusals.map(({ error }) => (error instanceof InvalidClientError ? 400 : asProblem(error).status)),
  );
  const [status = 400] = statuses.size === 1 ? statuses : [];
  return status;
}

function countOf(error: unknown): number {
  return error instanceof InvalidClientError ? error.violations.length : 1;
}

/** @param limit of the violations that are listed */
function violationsOf({ index, operation, error }: Refusal, limit: number): Violation[] {
  if (limit <= 0) return [];
  const at = pointerTo('operations', index);
  const body = 'patch' in operation && operation.patch !== undefined ? 'patch' : 'client';
  if (error instanceof InvalidClientError) {
    return error.violations
      .slice(0, limit)
      .map((problem) => ({ ...problem, field: `${at}/${body}${problem.field}` }));
  }
  if (hasErrorCode(error, 'client_exists')) {
    return [{ field: `${at}/client/preferred_client_id`, code: 'taken', message: error.message }];
  }
  const problem = asProblem(error);
  const [place, code] = PLACES[problem.status] ?? ['', 'refused'];
  return [{ field: `${at}${place}`, code, message: problem.message }];
}

/** By status: where in its operation the violation is, and its code. */
const PLACES: Readonly<Record<number, readonly [string, string]>> = {
  404: ['/client_id', 'not_found'],
  412: ['/if_match', 'changed'],
  428: ['/if_match', 'required'],
};
