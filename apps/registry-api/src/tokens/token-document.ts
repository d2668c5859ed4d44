import type { ApiToken } from './api-token.entity.js';

/** An API token as callers see it: never its value. Times are RFC 3339 in UTC. */
export interface TokenDocument {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** Id of the token that made it, `oidc:` and a subject, or `shell`; absent for the bootstrap token. */
  readonly created_by?: string;
  /** Made with an access token of an issuer: its `iss` and `sub`. */
  readonly issuer?: string;
  readonly subject?: string;
  /** Null: never. */
  readonly expires_at: string | null;
  /** Null: it was not revoked. */
  readonly revoked_at: string | null;
  /** Known to the minute. Null: never. */
  readonly last_used_at: string | null;
}

/** What a caller is told of its own token. */
export interface OwnTokenDocument {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null: never. Absent for the access token of an issuer, which says so itself. */
  readonly expires_at?: string | null;
}

export function toTokenDocument(token: ApiToken): TokenDocument {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: token.createdAt.toISOString(),
    ...(token.createdBy !== null && { created_by: token.createdBy }),
    ...(token.issuer !== null && { issuer: token.issuer }),
    ...(token.subject !== null && { subject: token.subject }),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  };
}

const TIME = { type: 'string', format: 'date-time' };
const TIME_OR_NEVER = { ...TIME, type: ['string', 'null'] as unknown as string };
const TEXT = { type: 'string' };

/** For the API document. */
export const TOKEN = {
  type: 'object',
  required: ['id', 'name', 'scopes', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'],
  properties: {
    id: TEXT,
    name: TEXT,
    scopes: { type: 'array', items: TEXT },
    created_at: TIME,
    created_by: {
      ...TEXT,
      description:
        'Id of the token that made it, `oidc:` and a subject, or `shell`; absent for the bootstrap token.',
    },
    issuer: { ...TEXT, description: '`iss` of the access token that made it; absent when an API token did.' },
    subject: { ...TEXT, description: '`sub` of that access token.' },
    expires_at: TIME_OR_NEVER,
    revoked_at: { ...TIME_OR_NEVER, description: 'Null: it was not revoked.' },
    last_used_at: TIME_OR_NEVER,
  },
};

export const OWN_TOKEN = {
  type: 'object',
  required: ['name', 'scopes'],
  properties: {
    name: TEXT,
    scopes: TOKEN.properties.scopes,
    expires_at: {
      ...TIME_OR_NEVER,
      description: 'Null: never. Absent for the access token of an issuer, which says so itself.',
    },
  },
};

const TOKENS = { type: 'array', items: TOKEN };

const DESCENDANTS = {
  ...TOKENS,
  description: 'What it has made that can still be used, and what that has made, and so on.',
};

export const TOKEN_LIST = {
  type: 'object',
  required: ['tokens'],
  properties: {
    tokens: TOKENS,
    next: { ...TEXT, description: '`before` of the next page; absent on the last one.' },
  },
};

export const TOKEN_WITH_DESCENDANTS = {
  ...TOKEN,
  required: [...TOKEN.required, 'descendants'],
  properties: { ...TOKEN.properties, descendants: DESCENDANTS },
};

export const REVOCATION = {
  type: 'object',
  required: ['revoked', 'descendants'],
  properties: {
    revoked: { ...TOKENS, description: 'What this request has ended.' },
    descendants: DESCENDANTS,
  },
};

export const MADE_TOKEN = {
  ...TOKEN,
  required: [...TOKEN.required, 'token'],
  properties: {
    ...TOKEN.properties,
    token: { type: 'string', description: 'The value, which no later answer holds.' },
  },
};
