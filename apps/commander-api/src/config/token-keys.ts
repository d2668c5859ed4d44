import type { ConfigKey } from './config-key.js';

/** Scopes that apply to the libraries of a token. */
export const LIBRARY_SCOPES = ['library:read', 'library:write'] as const;

/** Scopes that a further token may have. */
export const TOKEN_SCOPES = [...LIBRARY_SCOPES, 'iplookup:read'] as const;

/** The keys of each `[token:<name>]`: a token for some libraries, or for reading lookups, and nothing else. */
export const TOKEN_KEYS: readonly Omit<ConfigKey, 'section'>[] = [
  {
    key: 'token',
    type: 'text',
    secret: true,
    description: 'the bearer token itself; preferably set in the environment',
  },
  {
    key: 'token_file',
    type: 'path',
    example: 'ci.token',
    description: 'file with the bearer token, created at the first start if it does not exist',
  },
  {
    key: 'libraries',
    type: 'list',
    default: '',
    example: 'parsers, dashboards',
    description: 'names of the libraries that the library scopes apply to, at least one',
  },
  {
    key: 'scopes',
    type: 'list',
    default: LIBRARY_SCOPES[0],
    description: `what the token may do: ${TOKEN_SCOPES.join(', ')}`,
  },
];
