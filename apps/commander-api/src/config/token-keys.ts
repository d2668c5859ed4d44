import type { ConfigKey } from './config-key.js';

/** Scopes that a token limited to libraries may have. */
export const LIBRARY_SCOPES = ['library:read', 'library:write'] as const;

/** The keys of each `[token:<name>]`: a token that may use some libraries and nothing else. */
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
    description: 'names of the libraries that the token may use, at least one',
  },
  {
    key: 'scopes',
    type: 'list',
    default: LIBRARY_SCOPES[0],
    description: `what it may do with them: ${LIBRARY_SCOPES.join(', ')}`,
  },
];
