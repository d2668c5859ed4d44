import { deepStrictEqual } from 'node:assert';
import {
  type ClientMetadata,
  extendCapabilities,
  type Observation,
  type ObservedClient,
  recommend,
  type Recommendation,
  requestUse,
  validateAuthorizationRequest,
} from '../src/index.js';
import fc from 'fast-check';

/*
 * Random histories of requests, whole, and what follows from them by brute force. Only counts of them reach what is tested.
 */

export const CAPABILITIES = extendCapabilities({ application_type: ['native'] });

/** The first observed day. */
export const FROM = new Date('2026-10-25T00:00:00Z');
const LATER = new Date('2026-11-02T08:00:00Z');

export interface SentRequest {
  readonly uri: string | undefined;
  readonly pkce: 'none' | 'plain' | 'S256';
}

interface RandomSecret {
  readonly isNew: boolean;
  readonly isUsed: boolean;
}

export interface RequestHistory {
  readonly metadata: ClientMetadata;
  readonly requests: readonly SentRequest[];
  readonly secrets: readonly RandomSecret[];
}

const REGISTERED = [
  'https://a.example/',
  'https://a.example/cb',
  'https://a.example/cb/x',
  'https://b.example/cb?t=1',
  'http://127.0.0.1/cb',
];

const REQUESTED = [
  ...REGISTERED,
  'https://a.example/cb/../x',
  'https://a.example/cb?code=1',
  'https://a.example/cbx',
  'https://a.example.evil.test/cb',
  'https://b.example/cb?t=1&u=2',
  'https://c.example/p',
  'https://c.example',
  'http://127.0.0.1:4711/cb',
  'https://a.example/cb#f',
];

const request: fc.Arbitrary<SentRequest> = fc.record({
  uri: fc.option(fc.constantFrom(...REQUESTED), { nil: undefined, freq: 8 }),
  pkce: fc.constantFrom('none', 'plain', 'S256', 'S256', 'S256'),
});

/** Of few kinds, so that often all are alike. */
const requests = fc
  .array(request, { minLength: 1, maxLength: 4 })
  .chain((kinds) => fc.array(fc.constantFrom(...kinds), { maxLength: 8 }));

const metadata: fc.Arbitrary<ClientMetadata> = fc.record({
  client_name: fc.constant('Shop'),
  redirect_uris: fc.uniqueArray(fc.constantFrom(...REGISTERED), { minLength: 1, maxLength: 4 }),
  redirect_uri_validation_method: fc.constantFrom('full_match', 'prefix_match', 'none'),
  application_type: fc.constantFrom('web', 'native'),
  code_challenge_method: fc.constantFrom('none', 'plain', 'S256'),
  response_types: fc.constant(['code']),
  grant_types: fc.constant(['authorization_code']),
  token_endpoint_auth_method: fc.constant('none'),
});

export const histories: fc.Arbitrary<RequestHistory> = fc.record({
  metadata,
  requests,
  secrets: fc.array(fc.record({ isNew: fc.boolean(), isUsed: fc.boolean() }), { maxLength: 2 }),
});

export function observedClient(
  metadata: ClientMetadata,
  overrides: Partial<ObservedClient> = {},
): ObservedClient {
  const createdAt = new Date('2026-01-01T00:00:00Z');
  return { clientId: 'shop', metadata, temporaryUris: null, enabled: true, createdAt, ...overrides };
}

/** What the registry would have counted of a history. */
export function observationOf(
  { metadata, requests, secrets }: RequestHistory,
  overrides: Partial<Observation> = {},
): Observation {
  const uses = requests.map((sent) => {
    const parameters = parametersOf(sent);
    const validation = validateAuthorizationRequest(parameters, 'shop', metadata, CAPABILITIES);
    return { use: requestUse(parameters, validation, metadata, CAPABILITIES), count: 1, lastAt: LATER };
  });
  return {
    from: FROM,
    uses,
    secrets: secrets.map(({ isNew, isUsed }) => ({
      hint: 'abcd',
      createdAt: isNew ? LATER : new Date('2026-02-01T00:00:00Z'),
      lastUsedAt: isUsed ? LATER : null,
    })),
    changes: [],
    lastUsedAt: null,
    sees: { requests: true, secrets: true },
    ...overrides,
  };
}

function parametersOf({ uri, pkce }: SentRequest): Record<string, string> {
  return {
    response_type: 'code',
    ...(uri !== undefined && { redirect_uri: uri }),
    ...(pkce !== 'none' && { code_challenge: 'a'.repeat(43), code_challenge_method: pkce }),
  };
}

function isAccepted(sent: SentRequest, metadata: ClientMetadata): boolean {
  return validateAuthorizationRequest(parametersOf(sent), 'shop', metadata, CAPABILITIES).valid;
}

const patchOf = ({ change }: Recommendation) => (change.action === 'patch' ? change.patch : change.action);

/** By kind, what must be recommended: found by trying, on the whole requests. */
function expectedOf(history: RequestHistory): Record<string, unknown> {
  const { metadata, requests, secrets } = history;
  const { redirect_uris: registered, redirect_uri_validation_method: method } = metadata;
  const accepted = requests.filter((sent) => isAccepted(sent, metadata));
  const areAccepted = (patch: Partial<ClientMetadata>) =>
    accepted.every((sent) => isAccepted(sent, { ...metadata, ...patch }));
  const isSecretUsed = secrets.some(({ isUsed }) => isUsed);
  const used = registered.filter((uri) => accepted.some((sent) => servedBy(sent, metadata) === uri));
  const expected: Record<string, unknown> = {};
  if (accepted.length === 0 && !isSecretUsed) expected['disable'] = 'disable';
  const s256 = { code_challenge_method: 'S256' as const };
  const isTried = requests.some((sent) => isAccepted(sent, { ...metadata, ...s256 }));
  if (metadata.code_challenge_method !== 'S256' && isTried && areAccepted(s256))
    expected['require_s256'] = s256;
  if (accepted.length > 0 && secrets.length > 0 && !secrets.some(({ isNew, isUsed }) => isNew || isUsed)) {
    expected['retire_secrets'] = 'reset_secret';
  }
  const fewer = used.length < registered.length ? { redirect_uris: used } : undefined;
  if (method !== 'none' && fewer && used.length > 0) expected['remove_redirect_uris'] = fewer;
  if (method === 'full_match' || accepted.length === 0) return expected;
  if (accepted.every(({ uri }) => uri !== undefined && registered.includes(uri))) {
    expected['use_full_match'] = { redirect_uri_validation_method: 'full_match', ...fewer };
  } else if (method === 'none') {
    const foreign = accepted.filter((sent) => servedBy(sent, metadata) === undefined);
    const origins = [...new Set(foreign.map(({ uri }) => new URL(uri!).origin))].sort();
    const patch = {
      redirect_uri_validation_method: 'prefix_match' as const,
      redirect_uris: [...used, ...origins],
    };
    const hasAnyPort =
      metadata.application_type === 'native' && origins.some((origin) => /:\d+$/.test(origin));
    if (!hasAnyPort && areAccepted(patch)) expected['use_prefix_match'] = patch;
  }
  return expected;
}

/** The registered URI that a request counts for. */
function servedBy({ uri }: SentRequest, metadata: ClientMetadata): string | undefined {
  const { redirect_uris: registered, redirect_uri_validation_method: method } = metadata;
  if (uri === undefined) return registered[0];
  if (registered.includes(uri)) return uri;
  if (method === 'full_match') return registered.find((known) => known === uri.replace(':4711', ''));
  return registered.find(
    (known) =>
      uri.startsWith(known) &&
      new URL(known).host === new URL(uri).host &&
      isAccepted(
        { uri, pkce: 'S256' },
        {
          ...metadata,
          code_challenge_method: 'S256',
          redirect_uri_validation_method: 'prefix_match',
        },
      ),
  );
}

/** Compares a run of `recommend` with what was expected of it. @returns the kinds it recommended */
export function assertProven(history: RequestHistory): string[] {
  const { metadata, requests } = history;
  const found = recommend(observedClient(metadata), observationOf(history), CAPABILITIES);
  const accepted = requests.filter((sent) => isAccepted(sent, metadata));
  const patches = Object.fromEntries(found.map((each) => [each.kind, patchOf(each)]));
  const refused = found.flatMap(({ change }) =>
    change.action === 'patch'
      ? accepted.filter((sent) => !isAccepted(sent, { ...metadata, ...change.patch }))
      : [],
  );
  const replays = found.map(({ replay }) => replay);
  deepStrictEqual(
    { patches, refused, replays },
    {
      patches: expectedOf(history),
      refused: [],
      replays: found.map(() => ({ requests: accepted.length, refused: 0 })),
    },
  );
  return Object.keys(patches);
}
