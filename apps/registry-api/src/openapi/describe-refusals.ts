import type { OpenAPIObject } from '@nestjs/swagger';
import { schemaRef } from './schema-ref.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { 'x-required-scope'?: string };
type Responses = Operation['responses'];

/** What each refusal means where an operation does not say it better. */
const MEANINGS: Readonly<Record<string, string>> = {
  400: 'The body or a parameter is not valid; errors tells where and why.',
  401: 'There is no token, or not a valid one.',
  403: 'The token lacks the scope, which WWW-Authenticate names.',
  404: 'There is none of this id.',
  412: 'If-Match names a former state.',
  413: 'The body is too large.',
  414: 'The path is too long.',
  415: 'The body is of a type that is not taken, not UTF-8 by its charset, or compressed.',
  429: 'Too many requests of the token or the address, or too many wrong tokens; see Retry-After.',
  503: 'The database is away, or too much is under way; see Retry-After.',
};

/** The refusals that operations share, whatever they do, and which operations those are. */
const SHARED: readonly (readonly [status: string, concerns: (operation: Operation) => boolean])[] = [
  ['400', (operation) => takesBody(operation) || hasParameters(operation, 'query')],
  ['401', ({ security = [] }) => security.length > 0],
  ['403', (operation) => operation['x-required-scope'] !== undefined],
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
export function describeRefusals(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
        method,
        { ...operation, responses: { ...operation.responses, ...refusalsOf(operation) } },
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function refusalsOf(operation: Operation): Responses {
  const own = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
  const shared = SHARED.filter(([, concerns]) => concerns(operation)).map(([status]) => status);
  const described = [...new Set([...own, ...shared])].map((status) => {
    const said = operation.responses[status];
    const description = (said && 'description' in said && said.description) || MEANINGS[status];
    const content = { [mediaTypeOf(status, operation)]: { schema: schemaRef('Problem') } };
    return [status, { description, content }];
  });
  return Object.fromEntries(described) as Responses;
}

/**
 * Clients of OAuth read errors as plain JSON (RFC 7591 section 3.2.2). The documents are the same. Where a path that is
 * too long would have led, nobody knows.
 */
function mediaTypeOf(status: string, { tags = [] }: Operation): string {
  return tags.includes('registration') && status !== '414' ? 'application/json' : 'application/problem+json';
}

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
