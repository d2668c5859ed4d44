import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_SCHEMA } from './problem-schema.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { 'x-required-scope'?: string };
type Responses = Operation['responses'];

/** What a service says of its refusals. */
export interface Refusals {
  /** What a status means where no operation says it better, in place of what holds for any service. */
  readonly meanings?: Readonly<Record<number, string>>;
  /** The media type of a refusal; `application/problem+json` when absent. */
  readonly mediaTypeOf?: (status: string, operation: Operation) => string;
}

/** What each refusal means where neither an operation nor its service says it better. */
const MEANINGS: Readonly<Record<string, string>> = {
  400: 'The body or a parameter is not valid; errors tells where and why.',
  401: 'There is no token, or not a valid one.',
  403: 'The token lacks the scope, which WWW-Authenticate names.',
  404: 'There is no such thing.',
  408: 'The body came too slowly.',
  412: 'If-Match names a former state.',
  413: 'The body is too large.',
  414: 'The path is too long.',
  415: 'The body is of a type that is not taken, not UTF-8 by its charset, or compressed.',
  429: 'Too many requests of the token or the address, or too many wrong tokens; see Retry-After.',
  503: 'Too much is under way; see Retry-After.',
};

/** The refusals that operations share, whatever they do, and which operations those are. */
const SHARED: readonly (readonly [status: string, concerns: (operation: Operation) => boolean])[] = [
  ['400', (operation) => takesBody(operation) || hasParameters(operation, 'query')],
  ['401', ({ security = [] }) => security.length > 0],
  ['403', (operation) => operation['x-required-scope'] !== undefined],
  ['408', takesBody],
  ['413', takesBody],
  ['414', (operation) => hasParameters(operation, 'path')],
  ['415', takesBody],
  ['429', isLimited],
  ['503', isLimited],
];

/**
 * Completes each operation of the API document with the refusals that it shares with others, and says of each refusal
 * when it comes and what it looks like.
 */
export function describeRefusals(document: OpenAPIObject, refusals: Refusals = {}): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
        method,
        { ...operation, responses: { ...operation.responses, ...refusalsOf(operation, refusals) } },
      ]),
    ),
  ]);
  const schemas = { ...document.components?.schemas, Problem: PROBLEM_SCHEMA };
  return {
    ...document,
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
    components: { ...document.components, schemas },
  };
}

function refusalsOf(
  operation: Operation,
  { meanings = {}, mediaTypeOf = () => 'application/problem+json' }: Refusals,
): Responses {
  const own = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
  const shared = SHARED.filter(([, concerns]) => concerns(operation)).map(([status]) => status);
  const described = [...new Set([...own, ...shared])].map((status) => {
    const said = operation.responses[status];
    const description = (said && 'description' in said && said.description) || meaningOf(status);
    const content = { [mediaTypeOf(status, operation)]: { schema: PROBLEM_REF } };
    return [status, { description, content }];
  });
  return Object.fromEntries(described) as Responses;

  function meaningOf(status: string): string | undefined {
    return meanings[Number(status)] ?? MEANINGS[status];
  }
}

const PROBLEM_REF = { $ref: '#/components/schemas/Problem' };

function takesBody({ requestBody }: Operation): boolean {
  return requestBody !== undefined;
}

function hasParameters({ parameters = [] }: Operation, place: 'query' | 'path'): boolean {
  return parameters.some((parameter) => 'in' in parameter && parameter.in === place);
}

/** Health probes are answered whatever the load. */
function isLimited({ tags = [] }: Operation): boolean {
  return !tags.includes('health');
}
