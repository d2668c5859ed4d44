import { registration, type Sent } from '../running-registry.js';

/** A word in every text of the other team. */
export const MARK = 'zztheirs';
export const THEIRS = `${MARK}-1`;
export const UNKNOWN = `${MARK}-0`;
/** A deleted Client of the other team. */
export const DELETED = `${MARK}-2`;
export const NDJSON = { 'content-type': 'application/x-ndjson' };

export const SCOPES = ['clients:read', 'clients:write', 'clients:check', 'clients:register', 'tokens:write'];

export const RESTRICTIONS = {
  'some labels': { selector: { team: 'ours' } },
  'one of several labels': { selector: { team: ['ours', 'absent'] } },
  'one Client': { client_id: 'ours-1' },
} as const;

/** Routes without anything of Clients or tokens. */
export const NOTHING_TO_SEE = [
  'GET /health/live',
  'GET /health/ready',
  'GET /client/features',
  'GET /token/self',
  'GET /clients/recommendations',
];

/** Routes with the Client's own token. */
export const OWN_TOKEN = /^\w+ \/register\/\{client_id\}$/;

/** What is sent to routes of one Client. */
export const BODIES: Readonly<Record<string, Sent>> = {
  'PUT /client/{client_id}': { body: registration() },
  'PATCH /client/{client_id}': { body: { client_name: 'Taken over' } },
  'POST /client/{client_id}/redirect_uris': { body: { redirect_uri: 'https://taken-over.example/cb' } },
  'POST /client/{client_id}/check/secret': { body: { client_secret: 'guessed' } },
  'POST /client/{client_id}/check/client_assertion': {
    body: { client_assertion: 'a.b.c', audience: ['https://login.example.com'] },
  },
  'POST /client/{client_id}/check/authorization_request': { body: { response_type: 'code' } },
};

/** Required queries of routes of one Client. */
export const QUERIES: Readonly<Record<string, string>> = {
  'DELETE /client/{client_id}/redirect_uris': `?redirect_uri=https://${MARK}.example/cb`,
};

/** Routes of one Client that do not answer with 404. */
export const STATUSES: Readonly<Record<string, number>> = {
  'POST /client/{client_id}/check/secret': 200,
  'POST /client/{client_id}/check/client_assertion': 200,
};

/** Requests for several Clients: what the unrestricted token sees of the others, the restricted one must not. */
export const LISTS: Readonly<Record<string, readonly string[]>> = {
  'GET /client': [
    '/client?count=true',
    `/client?q=${MARK}`,
    `/client?label=team:${MARK}`,
    '/client?label=team',
  ],
  'GET /clients/export': ['/clients/export', `/clients/export?client_id=${THEIRS}`],
  'GET /clients/stats': ['/clients/stats'],
  'GET /clients/changes': ['/clients/changes', '/clients/changes?newest=500'],
  'GET /clients/cookie_entrypoints': ['/clients/cookie_entrypoints'],
  'GET /deleted-clients': ['/deleted-clients'],
  'GET /token': ['/token'],
};
