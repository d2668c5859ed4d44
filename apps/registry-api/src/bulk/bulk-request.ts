import { errorDescriptionOf, pointerTo, type Violation } from '@svc/client-metadata';
import { isJsonObject, MAX_VIOLATIONS } from '@svc/foundation';
import { Problem } from '@svc/service-kit';
import { ifMatchViolation } from '../http/conditional-requests.js';
import { MAX_OPERATIONS } from './bulk.dto.js';

/** One change of one Client. */
export type BulkOperation =
  | { readonly op: 'register'; readonly client: unknown }
  | ({ readonly op: 'update'; readonly client: unknown } & OnClient)
  | ({ readonly op: 'update'; readonly patch: unknown } & OnClient)
  | ({ readonly op: 'delete' | 'enable' } & OnClient)
  /** `pending` only when a job undoes an approval: requests cannot say so. */
  | ({ readonly op: 'disable'; readonly pending?: true } & OnClient);

/** How an update changes its Client: `patch` changes members, `client` replaces all. */
export function updateOf(
  operation: Extract<BulkOperation, { op: 'update' }>,
): readonly [kind: 'patch' | 'client', body: unknown] {
  return 'patch' in operation ? ['patch', operation.patch] : ['client', operation.client];
}

interface OnClient {
  readonly client_id: string;
  /** As the header If-Match. */
  readonly if_match?: string;
}

/** A body of `POST /clients/bulk`. */
export interface BulkRequest {
  /** All operations or none, rather than each that can be carried out. */
  readonly atomic: boolean;
  /** Answer as if it were done, and do nothing. */
  readonly dryRun: boolean;
  readonly operations: readonly BulkOperation[];
}

/** The members of each operation, besides `op`. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  register: ['client'],
  update: ['client_id', 'client', 'patch', 'if_match'],
  delete: ['client_id', 'if_match'],
  enable: ['client_id', 'if_match'],
  disable: ['client_id', 'if_match'],
};

const FLAGS = ['atomic', 'dry_run'];

/** @throws {Problem} 400 with every violation of the request's form; the Clients are validated later */
export function toBulkRequest(body: unknown): BulkRequest {
  const request = isJsonObject(body) ? body : {};
  const { atomic = true, dry_run: dryRun = false, operations } = request;
  const violations = isJsonObject(body)
    ? [
        ...requestViolations(request),
        ...(isList(operations) ? operations.slice(0, MAX_OPERATIONS).flatMap(operationViolations) : []),
      ]
    : [violation('', 'type', 'send a JSON object with a list of operations')];
  if (violations.length > 0) {
    const errors = violations.slice(0, MAX_VIOLATIONS);
    throw new Problem({ status: 400, detail: errorDescriptionOf(errors), errors });
  }
  return { atomic: atomic === true, dryRun: dryRun === true, operations: operations as BulkOperation[] };
}

function requestViolations(request: Readonly<Record<string, unknown>>): Violation[] {
  const known = [...FLAGS, 'operations'];
  const flags = FLAGS.filter((name) => request[name] !== undefined && typeof request[name] !== 'boolean');
  const { operations } = request;
  const isSound = isList(operations) && operations.length > 0 && operations.length <= MAX_OPERATIONS;
  return [
    ...unknownMembers('', request, known),
    ...flags.map((name) => violation(`/${name}`, 'type', `${name} must be true or false`)),
    ...(isSound
      ? []
      : [violation('/operations', 'type', `operations must be a list of 1 to ${MAX_OPERATIONS} operations`)]),
  ];
}

function operationViolations(operation: unknown, index: number): Violation[] {
  const at = `/operations/${index}`;
  if (!isJsonObject(operation)) return [violation(at, 'type', 'an operation must be a JSON object')];
  const { op, if_match: ifMatch } = operation;
  const members = typeof op === 'string' && Object.hasOwn(MEMBERS, op) ? MEMBERS[op] : undefined;
  if (!members)
    return [violation(`${at}/op`, 'value', `op must be one of ${Object.keys(MEMBERS).join(', ')}`)];
  const wanted = ['client_id', 'if_match'].filter((name) => members.includes(name));
  const texts = wanted.filter((name) => name in operation || name === 'client_id');
  const bodies = ['client', 'patch'].filter(
    (name) => members.includes(name) && operation[name] !== undefined,
  );
  const reason =
    wanted.includes('if_match') && typeof ifMatch === 'string' ? ifMatchViolation(ifMatch) : undefined;
  return [
    ...unknownMembers(at, operation, ['op', ...members]),
    ...texts
      .filter((name) => typeof operation[name] !== 'string')
      .map((name) => violation(`${at}/${name}`, 'type', `${name} must be a string`)),
    ...(reason === undefined ? [] : [violation(`${at}/if_match`, 'entity_tag', `if_match ${reason}`)]),
    ...(members.includes('client') && bodies.length !== 1 ? [bodyViolation(at, op === 'register')] : []),
  ];
}

function bodyViolation(at: string, isRegistration: boolean): Violation {
  if (isRegistration) return violation(`${at}/client`, 'required', 'client is required');
  return violation(at, 'required', 'an update needs either client, which replaces, or patch, which changes');
}

function unknownMembers(at: string, given: object, known: readonly string[]): Violation[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, 10)
    .map((name) =>
      violation(at + pointerTo(name.slice(0, 100)), 'unknown_field', `is not one of ${known.join(', ')}`),
    );
}

function violation(field: string, code: string, message: string): Violation {
  return { field, code, message };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
