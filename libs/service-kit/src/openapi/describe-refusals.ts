import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { 'x-required-scope'?: string };
type Responses = Operation['responses'];
type ResponseObject = Exclude<NonNullable<Responses[string]>, { $ref: string }>;

/** How a service describes its error responses. */
export interface Refusals {
  /** Descriptions by status, for operations without their own; they override the defaults. */
  readonly meanings?: Readonly<Record<number, string>>;
  /** `application/problem+json` by default. */
  readonly mediaTypeOf?: (status: string, operation: Operation) => string;
}

/** Default descriptions by status. */
const MEANINGS: Readonly<Record<string, string>> = {
  400: 'The body or a parameter is invalid; errors says where and why.',
  401: 'The token is missing or invalid.',
  403: 'The token lacks the scope that WWW-Authenticate names.',
  404: 'Not found.',
  408: 'The body arrived too slowly.',
  412: 'If-Match names an earlier state.',
  413: 'The body is too large.',
  414: 'The path is too long.',
  415: 'The media type is not supported, the charset is not UTF-8, or the body is compressed.',
  429: 'Too many requests from this token or address, or too many invalid tokens; see Retry-After.',
  503: 'The service is overloaded; see Retry-After.',
};

/** The only 400 of a probe, which takes no body, parameters or token. */
const UNREADABLE = 'The request has no Host header, or more than one.';

/** Response headers by status. */
const HEADERS: Readonly<Record<string, NonNullable<ResponseObject['headers']>>> = {
  401: { 'WWW-Authenticate': header('Bearer, with the error where a token was sent (RFC 6750 section 3).') },
  403: { 'WWW-Authenticate': header('Names the scope that the token lacks, where it lacks one.') },
  429: { 'Retry-After': header('Seconds to wait before the next attempt.') },
  503: { 'Retry-After': header('Seconds to wait before the next attempt.') },
};

/** Error statuses that are not specific to an operation, and the operations that have them. */
const SHARED: readonly (readonly [status: string, concerns: (operation: Operation) => boolean])[] = [
  ['400', (operation) => takesBody(operation) || hasParameters(operation, 'query') || isProbe(operation)],
  ['401', ({ security = [] }) => security.length > 0],
  ['403', (operation) => operation['x-required-scope'] !== undefined],
  ['408', takesBody],
  ['413', takesBody],
  ['414', (operation) => hasParameters(operation, 'path')],
  ['415', takesBody],
  ['429', (operation) => !isProbe(operation)],
  ['503', (operation) => !isProbe(operation)],
];

/** Adds shared error responses to each operation, and describes them. */
export function describeRefusals(document: OpenAPIObject, refusals: Refusals = {}): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
        method,
        {
          ...operation,
          // An empty list declares that no token is needed.
          security: operation.security ?? [],
          responses: { ...operation.responses, ...refusalsOf(operation, refusals) },
        },
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function refusalsOf(
  operation: Operation,
  { meanings = {}, mediaTypeOf = () => 'application/problem+json' }: Refusals,
): Responses {
  const listed = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
  const shared = SHARED.filter(([, concerns]) => concerns(operation)).map(([status]) => status);
  const described = [...new Set([...listed, ...shared])].map((status) => {
    const own = operation.responses[status] as ResponseObject | undefined;
    const headers = HEADERS[status];
    return [
      status,
      {
        description: own?.description || meaningOf(status),
        ...(headers && { headers }),
        content: own?.content ?? { [mediaTypeOf(status, operation)]: { schema: PROBLEM_REF } },
      },
    ];
  });
  return Object.fromEntries(described) as Responses;

  function meaningOf(status: string): string | undefined {
    if (status === '400' && isProbe(operation)) return UNREADABLE;
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

/** Health probes are exempt from limits. */
function isProbe({ tags = [] }: Operation): boolean {
  return tags.includes('health');
}

function header(description: string) {
  return { description, schema: { type: 'string' } };
}
