/* eslint-disable max-lines -- generated */
// Generated from docs/openapi-registry.json; `node tools/docs.mjs` writes it.

export interface paths {
  readonly '/health/live': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Check that the process is alive
     * @description Restart the process if this probe fails. It checks nothing else, and needs no token.
     */
    readonly get: operations['checkLiveness'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/health/ready': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Check that the service can take requests
     * @description Send requests elsewhere if this probe fails. It needs no token.
     */
    readonly get: operations['checkReadiness'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/metrics': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the metrics
     * @description In the text format of Prometheus or, if the caller prefers it, in OpenMetrics, with exemplars that name the traces of requests.
     */
    readonly get: operations['readMetrics'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List API tokens, newest first
     * @description Usable tokens or, with `state=ended`, revoked and expired ones, which are kept as long as changes are (CHANGE_RETENTION_DAYS). A token that reaches only some clients sees only the tokens created with it, directly or through others.
     */
    readonly get: operations['listTokens'];
    readonly put?: never;
    /**
     * Create an API token
     * @description Only this response contains its value. The token expires no later than the token that creates it; created with an access token of an issuer, no later than OIDC_TOKEN_MAX_LIFETIME from now. `expires_at` in the response says when.
     */
    readonly post: operations['createToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/token/self': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the token of this request
     * @description Its name, scopes and expiry. Any valid token will do, including the issuer's access tokens.
     */
    readonly get: operations['getOwnToken'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/token/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read an API token
     * @description Usable or ended, with the usable tokens created with it.
     */
    readonly get: operations['getToken'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Revoke an API token, alone or with the tokens created with it
     * @description A token that has ended stays as it is; its descendants can still be listed and revoked.
     */
    readonly delete: operations['revokeToken'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/features': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the client metadata that this registry supports
     * @description Every field with its type, default, allowed values and limits; JSON Schemas, templates and deviations.
     */
    readonly get: operations['getFeatures'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List clients
     * @description Searches, filters, sorts and counts them, page by page.
     */
    readonly get: operations['listClients'];
    readonly put?: never;
    /**
     * Register a client
     * @description Only this response contains its client_secret.
     */
    readonly post: operations['registerClient'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a client
     * @description Its metadata, state and warnings, and its secrets without their values.
     */
    readonly get: operations['getClient'];
    /**
     * Replace the metadata of a client
     * @description Members that are left out get their defaults.
     */
    readonly put: operations['replaceClient'];
    readonly post?: never;
    /**
     * Delete a client
     * @description Its secrets are deleted with it; its history is kept.
     */
    readonly delete: operations['deleteClient'];
    readonly options?: never;
    readonly head?: never;
    /**
     * Change some of the metadata of a client
     * @description A JSON Merge Patch (RFC 7396): null restores the default.
     */
    readonly patch: operations['patchClient'];
    readonly trace?: never;
  };
  readonly '/client/{client_id}/enable': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Enable a client
     * @description An enabled client stays as it is.
     */
    readonly post: operations['enableClient'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/disable': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Disable a client
     * @description A disabled client fails every check. An already disabled client stays as it is.
     */
    readonly post: operations['disableClient'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/reset_secret': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Generate a new client_secret
     * @description Only this response contains it. With `overlap` the previous secret stays valid for that time; `expires_in` is the new one's lifetime.
     */
    readonly post: operations['resetClientSecret'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/secrets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the secrets of a client
     * @description Without their values: when each was created, expires, and was last used.
     */
    readonly get: operations['listClientSecrets'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/redirect_uris': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Add a redirect URI
     * @description With `expires_in` it is temporary; if it already was, it gets the new expiry. Without `expires_in` it is permanent. Other redirect URIs stay as they are, even if they are changed meanwhile.
     */
    readonly post: operations['addRedirectUri'];
    /**
     * Remove a redirect URI
     * @description If it is not registered, nothing changes. Other redirect URIs stay as they are, even if they are changed meanwhile.
     */
    readonly delete: operations['removeRedirectUri'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/bulk': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Register, update, delete, enable and disable many clients
     * @description Up to 1,000 operations: all or none of them or, with `atomic: false`, each valid one.
     */
    readonly post: operations['changeClients'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/jobs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List jobs
     * @description All of them or, for tokens that reach only some clients, those the token started.
     */
    readonly get: operations['listJobs'];
    readonly put?: never;
    /**
     * Change all clients that match a filter
     * @description In the background: enables, disables, deletes or patches up to 100,000 clients, or fixes a warning in them. The job covers the clients that match when it starts; those that change before their turn are left as they are, and counted as failed.
     */
    readonly post: operations['startJob'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/jobs/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a job
     * @description Its progress and counts.
     */
    readonly get: operations['getJob'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/jobs/{id}/results': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the results of a job
     * @description The result for each client. Page by page, or all as NDJSON if Accept asks for it.
     */
    readonly get: operations['listJobResults'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/jobs/{id}/cancel': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Cancel a job
     * @description It stops after the clients that it is changing; what it has changed stays, and can be undone.
     */
    readonly post: operations['cancelJob'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/jobs/{id}/undo': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Undo a job
     * @description A job that restores the previous version of each client that has not changed since; the others fail. Deleted clients come back disabled and without secrets.
     */
    readonly post: operations['undoJob'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/deleted-clients': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List deleted clients
     * @description Those that can be restored (DELETED_CLIENT_RETENTION_DAYS).
     */
    readonly get: operations['listDeletedClients'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/deleted-clients/{client_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a deleted client
     * @description The client as it would be restored, and until when.
     */
    readonly get: operations['getDeletedClient'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Delete a client permanently
     * @description It can no longer be restored; its history is kept. A security event records it.
     */
    readonly delete: operations['purgeDeletedClient'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/deleted-clients/{client_id}/restore': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Restore a deleted client
     * @description It comes back disabled and without its secrets: generate one, then enable it.
     */
    readonly post: operations['restoreClient'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/history': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the history of a client
     * @description Who changed it, when, from where and how; deleted clients keep their history.
     */
    readonly get: operations['getClientHistory'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/history/{seq}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a version of a client
     * @description Its metadata after one of its changes.
     */
    readonly get: operations['getClientVersion'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/export': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Export clients
     * @description All of them, those that match a filter, or those with given ids; without secrets. NDJSON, or CSV if Accept asks for it.
     */
    readonly get: operations['exportClients'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/import': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Import the clients of an export
     * @description All lines or none. A client that already matches its line stays as it is.
     */
    readonly post: operations['importClients'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/stats': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Count the clients by state, warning, label, manager, age and last use
     * @description The counts are up to 10 seconds old.
     */
    readonly get: operations['readClientStats'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/usage': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read how a client is used
     * @description Which redirect URIs, PKCE methods, response types and secrets are used, what was rejected and why. Checks appear after about ten seconds, or up to a minute if thousands of clients are in use.
     */
    readonly get: operations['getClientUsage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/usage': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Report uses that the registry has not checked itself
     * @description For authorization servers that compare requests or verify client assertions themselves. A batch counts once, however often it is sent. Clients that the token does not reach are left out without notice.
     */
    readonly post: operations['reportClientUsage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/recommendations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Recommend stricter settings that would not have rejected any recorded request
     * @description Based on how each client was used, made only where all of the days are recorded, and checked against the recorded requests. Page by page, or all as NDJSON if Accept asks for it.
     */
    readonly get: operations['listRecommendations'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/check/authorization_request': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check an authorization request
     * @description Checks its parameters against the client's settings. A disabled client fails every check.
     */
    readonly post: operations['checkAuthorizationRequest'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/check/secret': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check a client_secret
     * @description An unknown or disabled client gets the same response as a wrong secret, in the same time. Only the check of an imported hash takes longer, until the first successful one replaces it.
     */
    readonly post: operations['checkSecret'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/check/client_assertion': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check a client_assertion
     * @description Verifies the JWT of a client with private_key_jwt (RFC 7523): its signature by a key of the client, iss, sub, aud, exp and jti. Each JWT is valid only once. An unknown or disabled client gets the same response as one without the method.
     */
    readonly post: operations['checkClientAssertion'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/check/cookie_webhook': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Call the cookie webhook of a client
     * @description Sends a sample user, as a sign-in does, and reports whether the response can be used.
     */
    readonly post: operations['checkCookieWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/explain': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Explain why an authorization request is rejected
     * @description From its URL: the violated rules, the nearest registered redirect URI, when such a request last worked, and the change that broke it. No part of the URL is logged, counted or kept.
     */
    readonly post: operations['explainAuthorizationRequest'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/changes': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the changes of all clients in order
     * @description Page by page or, with `Accept: text/event-stream`, as a stream that continues as changes happen. With the scope clients:follow alone, without who made them.
     */
    readonly get: operations['listChanges'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/audit': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the audit log
     * @description Page by page, latest first; with `Accept: application/x-ndjson` all of them, oldest first; with `Accept: text/event-stream` as a stream that continues as events are recorded.
     */
    readonly get: operations['listSecurityEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/clients/cookie_entrypoints': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the cookie entry points by hostname
     * @description Every hostname of clients with cookie-based authorization, and the hostnames without an entry point.
     */
    readonly get: operations['listCookieEntrypoints'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/register': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Register a client as a developer
     * @description Dynamic client registration (RFC 7591) with an initial access token (an API token with the scope clients:register). Where REGISTRATION is open, also without a token: the client then fails every check until an administrator enables it.
     */
    readonly post: operations['registerOwnClient'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/register/{client_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read your own client
     * @description With its registration access token (RFC 7592 section 2.1).
     */
    readonly get: operations['getOwnClient'];
    /**
     * Replace the metadata of your own client
     * @description With its registration access token (RFC 7592 section 2.2). When token_endpoint_auth_method changes from none or private_key_jwt to client_secret_basic or client_secret_post, only this response contains the new client_secret.
     */
    readonly put: operations['replaceOwnClient'];
    readonly post?: never;
    /**
     * Delete your own client
     * @description With its registration access token (RFC 7592 section 2.3).
     */
    readonly delete: operations['deleteOwnClient'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/client/{client_id}/registration_token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Give a client a new registration access token
     * @description Its previous tokens stop working. A client that an administrator registered can get one, too: a developer can then manage it.
     */
    readonly post: operations['resetRegistrationToken'];
    /**
     * Revoke the registration access tokens of a client
     * @description The client stays as it is, but its developer can no longer manage it.
     */
    readonly delete: operations['revokeRegistrationToken'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    readonly Liveness: {
      /** @enum {string} */
      readonly status: 'alive';
    };
    readonly ReadinessReport: {
      /**
       * @description `degraded`: reads are served, writes are not at the moment.
       * @enum {string}
       */
      readonly status: 'ready' | 'degraded' | 'not ready';
      /**
       * @description Each check by its name.
       * @example {
       *       "database": "up"
       *     }
       */
      readonly checks: {
        readonly [key: string]: 'up' | 'degraded' | 'down';
      };
    };
    readonly Token: {
      /**
       * @description Labels of the clients that it reaches; absent: any.
       * @example {
       *       "team": "shop"
       *     }
       */
      readonly selector?: {
        readonly [key: string]: string | readonly string[];
      };
      /**
       * @description The only client that it reaches.
       * @example shop-web
       */
      readonly client_id?: string;
      /**
       * @description Where it may be used from.
       * @example [
       *       "10.0.0.0/8"
       *     ]
       */
      readonly networks?: readonly string[];
      /** @example 5f1d3a9c0b7e2468 */
      readonly id: string;
      /** @example deployment pipeline */
      readonly name: string;
      /**
       * @example [
       *       "clients:read"
       *     ]
       */
      readonly scopes: readonly string[];
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Id of the token that created it, `oidc:` and a subject, or `shell`; absent for the bootstrap token.
       * @example 0a1b2c3d4e5f6071
       */
      readonly created_by?: string;
      /** @description `iss` of the access token that created it; absent when an API token did. */
      readonly issuer?: string;
      /** @description `sub` of that access token. */
      readonly subject?: string;
      /**
       * @description Null: never.
       * @example 2027-02-19T08:00:00.000Z
       */
      readonly expires_at: string | null;
      /**
       * @description Null: it was not revoked.
       * @example null
       */
      readonly revoked_at: string | null;
      /**
       * @description To the minute. Null: never.
       * @example null
       */
      readonly last_used_at: string | null;
      /** @description How many requests may use it. */
      readonly max_uses?: number;
      /** @description How many requests have used it; present with `max_uses`. */
      readonly uses?: number;
      /** @description How many clients may be registered with it. */
      readonly max_registrations?: number;
      /** @description How many clients may be registered with it per day (UTC). */
      readonly registrations_per_day?: number;
      /** @description How many clients have been registered with it; present with the scope clients:register. */
      readonly registrations?: number;
    };
    readonly TokenList: {
      /** @description Newest first. */
      readonly tokens: readonly components['schemas']['Token'][];
      /** @description `before` of the next page; absent on the last one. */
      readonly next?: string;
    };
    readonly OwnToken: {
      /**
       * @description Labels of the clients that it reaches; absent: any.
       * @example {
       *       "team": "shop"
       *     }
       */
      readonly selector?: {
        readonly [key: string]: string | readonly string[];
      };
      /**
       * @description The only client that it reaches.
       * @example shop-web
       */
      readonly client_id?: string;
      /**
       * @description Where it may be used from.
       * @example [
       *       "10.0.0.0/8"
       *     ]
       */
      readonly networks?: readonly string[];
      /**
       * @description Absent for the access token of an issuer.
       * @example 5f1d3a9c0b7e2468
       */
      readonly id?: string;
      /** @example deployment pipeline */
      readonly name: string;
      /**
       * @example [
       *       "clients:read"
       *     ]
       */
      readonly scopes: readonly string[];
      /**
       * @description Null: never. Absent for the access token of an issuer, which carries its own expiry.
       * @example 2027-02-19T08:00:00.000Z
       */
      readonly expires_at?: string | null;
    };
    readonly TokenWithDescendants: {
      /**
       * @description Labels of the clients that it reaches; absent: any.
       * @example {
       *       "team": "shop"
       *     }
       */
      readonly selector?: {
        readonly [key: string]: string | readonly string[];
      };
      /**
       * @description The only client that it reaches.
       * @example shop-web
       */
      readonly client_id?: string;
      /**
       * @description Where it may be used from.
       * @example [
       *       "10.0.0.0/8"
       *     ]
       */
      readonly networks?: readonly string[];
      /** @example 5f1d3a9c0b7e2468 */
      readonly id: string;
      /** @example deployment pipeline */
      readonly name: string;
      /**
       * @example [
       *       "clients:read"
       *     ]
       */
      readonly scopes: readonly string[];
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Id of the token that created it, `oidc:` and a subject, or `shell`; absent for the bootstrap token.
       * @example 0a1b2c3d4e5f6071
       */
      readonly created_by?: string;
      /** @description `iss` of the access token that created it; absent when an API token did. */
      readonly issuer?: string;
      /** @description `sub` of that access token. */
      readonly subject?: string;
      /**
       * @description Null: never.
       * @example 2027-02-19T08:00:00.000Z
       */
      readonly expires_at: string | null;
      /**
       * @description Null: it was not revoked.
       * @example null
       */
      readonly revoked_at: string | null;
      /**
       * @description To the minute. Null: never.
       * @example null
       */
      readonly last_used_at: string | null;
      /** @description How many requests may use it. */
      readonly max_uses?: number;
      /** @description How many requests have used it; present with `max_uses`. */
      readonly uses?: number;
      /** @description How many clients may be registered with it. */
      readonly max_registrations?: number;
      /** @description How many clients may be registered with it per day (UTC). */
      readonly registrations_per_day?: number;
      /** @description How many clients have been registered with it; present with the scope clients:register. */
      readonly registrations?: number;
      /** @description The usable tokens created with it, those created with them, and so on. */
      readonly descendants: readonly components['schemas']['Token'][];
    };
    readonly CreateTokenBody: {
      /**
       * @description Labels: the token reaches only clients that have all of them, each with the value or one of the values given. What it registers gets them. It cannot reach more than your own token.
       * @example {
       *       "team": "shop"
       *     }
       */
      readonly selector?: {
        readonly [key: string]: string | readonly string[];
      };
      /**
       * @description The token reaches only the client with this id.
       * @example shop-web
       */
      readonly client_id?: string;
      /**
       * @description Addresses and CIDR blocks: the token may be used only from there.
       * @example [
       *       "10.0.0.0/8"
       *     ]
       */
      readonly networks?: readonly string[];
      /** @description How many requests may use the token; those that are rejected count, too. Not with tokens:write. */
      readonly max_uses?: number;
      /** @description How many clients may be registered with the token. Requires clients:register; not with tokens:write. */
      readonly max_registrations?: number;
      /** @description The same per day (UTC). */
      readonly registrations_per_day?: number;
      /**
       * @description Who or what the token is for.
       * @example deployment pipeline
       */
      readonly name: string;
      /**
       * @description What the token allows: scopes that your own token has.
       * @example [
       *       "clients:read"
       *     ]
       */
      readonly scopes: readonly (
        | 'clients:read'
        | 'clients:write'
        | 'clients:import_secrets'
        | 'clients:check'
        | 'clients:follow'
        | 'clients:register'
        | 'tokens:write'
        | 'metrics:read'
        | 'audit:read'
      )[];
      /**
       * @description Seconds, or a number and a unit (s, m, h, d, w, y), up to 10 years. Without it the token lasts as long as allowed: until the token that creates it expires, if that expires.
       * @example 90d
       */
      readonly expires_in?: number | string;
    };
    readonly CreatedToken: {
      /**
       * @description Labels of the clients that it reaches; absent: any.
       * @example {
       *       "team": "shop"
       *     }
       */
      readonly selector?: {
        readonly [key: string]: string | readonly string[];
      };
      /**
       * @description The only client that it reaches.
       * @example shop-web
       */
      readonly client_id?: string;
      /**
       * @description Where it may be used from.
       * @example [
       *       "10.0.0.0/8"
       *     ]
       */
      readonly networks?: readonly string[];
      /** @example 5f1d3a9c0b7e2468 */
      readonly id: string;
      /** @example deployment pipeline */
      readonly name: string;
      /**
       * @example [
       *       "clients:read"
       *     ]
       */
      readonly scopes: readonly string[];
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly created_at: string;
      /**
       * @description Id of the token that created it, `oidc:` and a subject, or `shell`; absent for the bootstrap token.
       * @example 0a1b2c3d4e5f6071
       */
      readonly created_by?: string;
      /** @description `iss` of the access token that created it; absent when an API token did. */
      readonly issuer?: string;
      /** @description `sub` of that access token. */
      readonly subject?: string;
      /**
       * @description Null: never.
       * @example 2027-02-19T08:00:00.000Z
       */
      readonly expires_at: string | null;
      /**
       * @description Null: it was not revoked.
       * @example null
       */
      readonly revoked_at: string | null;
      /**
       * @description To the minute. Null: never.
       * @example null
       */
      readonly last_used_at: string | null;
      /** @description How many requests may use it. */
      readonly max_uses?: number;
      /** @description How many requests have used it; present with `max_uses`. */
      readonly uses?: number;
      /** @description How many clients may be registered with it. */
      readonly max_registrations?: number;
      /** @description How many clients may be registered with it per day (UTC). */
      readonly registrations_per_day?: number;
      /** @description How many clients have been registered with it; present with the scope clients:register. */
      readonly registrations?: number;
      /**
       * @description The value, which no other response contains; absent with Idempotency-Replayed.
       * @example svcr_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E
       */
      readonly token?: string;
    };
    readonly Revocation: {
      /** @description The tokens that this request revoked. */
      readonly revoked: readonly components['schemas']['Token'][];
      /** @description The tokens created with it that remain usable, those created with them, and so on. */
      readonly descendants: readonly components['schemas']['Token'][];
    };
    readonly FeatureField: {
      /** @example redirect_uris */
      readonly name: string;
      /** @example Redirect URIs */
      readonly label: string;
      /** @example Where the authorization server may send users back to. */
      readonly description: string;
      /**
       * @description The document that defines the field.
       * @example RFC 7591 section 2
       */
      readonly source: string;
      /**
       * @description `canonical`: defined by OAuth 2.0 or OpenID Connect registration; `own`: by this registry.
       * @enum {string}
       */
      readonly group: 'canonical' | 'own';
      /**
       * @example string[]
       * @enum {string}
       */
      readonly type: 'string' | 'string[]' | 'boolean' | 'number or string' | 'map' | 'object';
      /** @description How a string is written. */
      readonly format?: string;
      /** @example true */
      readonly required: boolean;
      /** @description When the field is needed although `required` is false. */
      readonly required_for?: string;
      /** @enum {string} */
      readonly editable: 'always' | 'never' | 'registration';
      readonly default?: string | readonly string[];
      /** @description How the server determines a default that is not fixed. */
      readonly generated?: string;
      readonly allowed_values?: readonly string[];
      readonly min_length?: number;
      readonly max_length?: number;
      readonly min_items?: number;
      readonly max_items?: number;
      /**
       * @description Whether developers may set it (POST /register); a list: with these values only.
       * @example true
       */
      readonly public: boolean | readonly string[];
    };
    readonly FeatureSchemas: {
      /**
       * @example {
       *       "type": "object"
       *     }
       */
      readonly registration: {
        readonly [key: string]: unknown;
      };
      /**
       * @example {
       *       "type": "object"
       *     }
       */
      readonly update: {
        readonly [key: string]: unknown;
      };
    };
    readonly FeatureTemplate: {
      /** @example web */
      readonly id: string;
      /** @example Web application */
      readonly label: string;
      /** @example A web application that signs users in, with PKCE. */
      readonly description: string;
      /**
       * @description A body for registration that is valid as it is.
       * @example {
       *       "client_name": "My web application",
       *       "redirect_uris": [
       *         "https://app.example.com/callback"
       *       ]
       *     }
       */
      readonly metadata: {
        readonly [key: string]: unknown;
      };
    };
    readonly SecondsRange: {
      /** @example 1 */
      readonly minimum: number;
      /** @example 315360000 */
      readonly maximum: number;
    };
    readonly FeatureLimits: {
      /**
       * @description Redirect URIs of a client.
       * @example 100
       */
      readonly redirect_uris: number;
      /**
       * @description Characters of a URI.
       * @example 2048
       */
      readonly uri_length: number;
      readonly session_expiration_seconds: components['schemas']['SecondsRange'];
      /**
       * @description Hosts besides localhost, 127.0.0.0/8 and [::1] whose redirect URIs may be plain http.
       * @example [
       *       "app.internal"
       *     ]
       */
      readonly http_redirect_hosts: readonly string[];
    };
    readonly FeatureDeviation: {
      /**
       * @description A field, a value, or an interface.
       * @example token_endpoint_auth_method
       */
      readonly subject: string;
      /**
       * @description The document it deviates from.
       * @example RFC 7591 section 2
       */
      readonly from: string;
      /** @example The default is none, not client_secret_basic. */
      readonly description: string;
    };
    readonly FeatureSecretImport: {
      /**
       * @description Schemes of client_secret_hash.
       * @example [
       *       "bcrypt"
       *     ]
       */
      readonly hashes: readonly string[];
      /**
       * @description How long such a hash is accepted, unless the secret passes a check first.
       * @example 7776000
       */
      readonly hash_max_age_seconds: number;
    };
    readonly FeatureUsage: {
      /**
       * @description Whether this registry records how clients are used.
       * @example true
       */
      readonly is_recorded: boolean;
      /**
       * @description How long counts are kept.
       * @example 400
       */
      readonly retention_days: number;
    };
    readonly FeatureTemporaryUris: {
      /**
       * @description How many a client may have at once.
       * @example 50
       */
      readonly per_client: number;
      /** @description Limits of expires_in. */
      readonly life_seconds: components['schemas']['SecondsRange'];
    };
    readonly Features: {
      /** @description In the order of a form. */
      readonly fields: readonly components['schemas']['FeatureField'][];
      /** @description JSON Schemas (draft 2020-12) of a registration and of an update. */
      readonly schemas: components['schemas']['FeatureSchemas'];
      /** @description Starting points for common kinds of client. */
      readonly templates: readonly components['schemas']['FeatureTemplate'][];
      readonly limits: components['schemas']['FeatureLimits'];
      /** @description Where the registry deliberately deviates from a document that it follows. */
      readonly deviations: readonly components['schemas']['FeatureDeviation'][];
      /** @description Present if imports may contain client secrets. */
      readonly secret_import?: components['schemas']['FeatureSecretImport'];
      /** @description How clients are used: GET /client/{client_id}/usage. */
      readonly usage: components['schemas']['FeatureUsage'];
      /** @description Temporary redirect URIs: POST /client/{client_id}/redirect_uris. */
      readonly temporary_redirect_uris: components['schemas']['FeatureTemporaryUris'];
    };
    readonly ResetSecretBody: {
      /**
       * @description How long the previous secret stays valid: 0, or seconds, or a number and a unit (s, m, h, d, w, y), up to 1 year.
       * @default 0
       * @example 24h
       */
      readonly overlap?: number | string;
      /**
       * @description How long the new secret is valid: seconds, or a number and a unit (s, m, h, d, w, y), up to 10 years, or SECRET_MAX_LIFETIME if that is less. By default, as long as the registry allows.
       * @example 90d
       */
      readonly expires_in?: number | string;
    };
    readonly ClientSecret: {
      /**
       * @description Its last 4 characters.
       * @example bA1s
       */
      readonly hint: string;
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description Absent: it does not expire.
       */
      readonly expires_at?: string;
      /**
       * Format: date-time
       * @description When it last passed a check, to the hour; absent: never.
       * @example 2026-11-22T09:00:00.000Z
       */
      readonly last_used_at?: string;
      /** @description It was imported; otherwise the registry generated it. */
      readonly imported?: boolean;
      /**
       * @description How it is hashed until it passes a check, after an import with the hash of another product.
       * @example bcrypt
       */
      readonly imported_hash?: string;
      /**
       * Format: date-time
       * @description When such a hash expires, unless the secret passes a check first.
       * @example 2027-02-19T08:00:00.000Z
       */
      readonly imported_hash_ends_at?: string;
    };
    readonly ClientSecrets: {
      /** @description Newest first; at most two. */
      readonly client_secrets: readonly components['schemas']['ClientSecret'][];
    };
    readonly AddRedirectUriBody: {
      /** @example https://pr-41.preview.shop.example/cb */
      readonly redirect_uri: string;
      /**
       * @description When it expires: seconds from now, or a number and a unit (s, m, h, d, w), from 1 minute to 90 days. Absent: never.
       * @example 7d
       */
      readonly expires_in?: number | string;
      /**
       * @description What it is for. Stored with the expiry, so only with expires_in.
       * @example preview of pull request 41
       */
      readonly note?: string;
    };
    readonly BulkOperationBody: {
      /**
       * @example disable
       * @enum {string}
       */
      readonly op: 'register' | 'update' | 'delete' | 'enable' | 'disable';
      /**
       * @description The client_id; omit it to register.
       * @example shop-web
       */
      readonly client_id?: string;
      /** @description For a registration, or for an update that replaces. */
      readonly client?: components['schemas']['ClientRegistration'];
      /** @description For an update that changes some members (RFC 7396). */
      readonly patch?: components['schemas']['ClientPatch'];
      /**
       * @description Like the header If-Match.
       * @example "42-9f86d081884c"
       */
      readonly if_match?: string;
    };
    readonly BulkRequestBody: {
      /**
       * @description All operations or none.
       * @default true
       */
      readonly atomic?: boolean;
      /**
       * @description Only report what would be done.
       * @default false
       */
      readonly dry_run?: boolean;
      /**
       * @example [
       *       {
       *         "op": "disable",
       *         "client_id": "shop-web",
       *         "if_match": "\"42-9f86d081884c\""
       *       }
       *     ]
       */
      readonly operations: readonly components['schemas']['BulkOperationBody'][];
    };
    readonly Violation: {
      /**
       * @description JSON pointer (RFC 6901) into the body, or into the parameters of a query (`/limit`); empty: the request as a whole.
       * @example /redirect_uris/1
       */
      readonly field: string;
      /**
       * @description The rule that was broken, for programs.
       * @example not_absolute
       */
      readonly code: string;
      /**
       * @description The rule that was broken, as text.
       * @example must be an absolute URI
       */
      readonly message: string;
    };
    readonly BulkProblem: {
      /**
       * @description OAuth error code.
       * @example not_found
       */
      readonly error: string;
      /** @example There is no client with this client_id. */
      readonly detail: string;
      readonly errors?: readonly components['schemas']['Violation'][];
    };
    readonly BulkResult: {
      /**
       * @description Index of the operation.
       * @example 0
       */
      readonly index: number;
      /**
       * @example disable
       * @enum {string}
       */
      readonly op: 'register' | 'update' | 'delete' | 'enable' | 'disable';
      /**
       * @description Absent if the operation names none and none has been generated yet.
       * @example shop-web
       */
      readonly client_id?: string;
      /**
       * @description The status of the operation alone.
       * @example 200
       */
      readonly status: number;
      /** @description False when there was nothing to change. */
      readonly changed?: boolean;
      /**
       * @description ETag of the client after the operation.
       * @example "43"
       */
      readonly etag?: string;
      /** @description For a registration; no other response contains it. */
      readonly client_secret?: string;
      /** @description Why the operation failed. */
      readonly problem?: components['schemas']['BulkProblem'];
    };
    readonly BulkAnswer: {
      readonly atomic: boolean;
      /** @example false */
      readonly dry_run: boolean;
      /** @example 1 */
      readonly succeeded: number;
      /**
       * @description Always 0 where the operations are atomic.
       * @example 0
       */
      readonly failed: number;
      /**
       * @description One for each operation, in order.
       * @example [
       *       {
       *         "index": 0,
       *         "op": "disable",
       *         "client_id": "shop-web",
       *         "status": 200,
       *         "changed": true,
       *         "etag": "\"43\""
       *       }
       *     ]
       */
      readonly results: readonly components['schemas']['BulkResult'][];
    };
    readonly JobProblem: {
      /**
       * @description OAuth error code.
       * @example invalid_token
       */
      readonly error: string;
      /** @example The token that started the job was revoked or has expired. */
      readonly detail: string;
    };
    readonly FieldChange: {
      /** @example client_name */
      readonly field: string;
      /**
       * @description Absent when there was no value.
       * @example My web application
       */
      readonly before?:
        | string
        | number
        | boolean
        | readonly string[]
        | readonly {
            readonly [key: string]: string;
          }[]
        | {
            readonly [key: string]: string;
          };
      /**
       * @description Absent when there is no value.
       * @example Shop
       */
      readonly after?:
        | string
        | number
        | boolean
        | readonly string[]
        | readonly {
            readonly [key: string]: string;
          }[]
        | {
            readonly [key: string]: string;
          };
    };
    readonly JobResult: {
      /** @example shop-web */
      readonly client_id: string;
      /**
       * @description Its name at the start.
       * @example Shop
       */
      readonly client_name?: string;
      /**
       * @example changed
       * @enum {string}
       */
      readonly result: 'pending' | 'changed' | 'unchanged' | 'failed';
      /**
       * @description ETag of the client after the change.
       * @example "43-9f86d081884c"
       */
      readonly etag?: string;
      /** @description Why it failed. */
      readonly problem?: components['schemas']['JobProblem'];
      /** @description Only for a dry run: what would change, for the first clients. */
      readonly changes?: readonly components['schemas']['FieldChange'][];
    };
    readonly JobResultList: {
      /**
       * @description The cursor of the next page; absent on the last one.
       * @example 41
       */
      readonly next?: number;
      /** @description In the order in which the clients are changed. */
      readonly results: readonly components['schemas']['JobResult'][];
    };
    readonly ClientFilterQuery: {
      /** @description At least one word; all must occur in the name, the client_id, or the host and path of a URI, ignoring case and accents. A word of 1 or 2 characters matches only the beginnings of words. Scheme and query of a URL are ignored. */
      readonly q?: string;
      /**
       * @description Text that occurs in the host of a redirect URI, ignoring case.
       * @example acme
       */
      readonly host?: string;
      readonly enabled?: boolean;
      /** @description The client came through open registration, and waits for an administrator to enable it. */
      readonly pending?: boolean;
      readonly has_warnings?: boolean;
      /**
       * @description The code of a warning that the client has.
       * @enum {string}
       */
      readonly warning?:
        | 'not_oauth_compliant'
        | 'prefix_without_slash'
        | 'plain_http_redirect_uri'
        | 'plain_http_logout_uri'
        | 'localhost_redirect_uri'
        | 'response_parameter_in_redirect_uri'
        | 'weak_pkce'
        | 'discouraged_grant'
        | 'cookie_entry_missing'
        | 'cookie_domain_mismatch'
        | 'cookie_domain_dot'
        | 'anonymous_cid_missing'
        | 'look_alike_name'
        | 'invisible_character';
      /**
       * @description `key:value`, or a key alone for any value: the client has this label. Repeat it to require several.
       * @example [
       *       "team:shop"
       *     ]
       */
      readonly label?: readonly string[];
      /**
       * @description The same, negated: the client does not have this label.
       * @example [
       *       "team:shop"
       *     ]
       */
      readonly 'label!'?: readonly string[];
      /**
       * @description What manages the client: users, developers, import, or set:<name>.
       * @example set:shop
       */
      readonly managed_by?: string;
      /** @description Registered at or after this time: RFC 3339, or a day in UTC. */
      readonly created_since?: string;
      /** @description Last changed at or after this time: RFC 3339, or a day in UTC. */
      readonly updated_since?: string;
      /** @description The client is not public, and has a valid secret that expires within this many days. */
      readonly secret_expires_within?: number;
      /** @description The client is not public, and has a valid secret that no successful check has used; false: all others. */
      readonly secret_never_used?: boolean;
      /** @description Registered before this time, and not used since: no request and no secret has been accepted. RFC 3339, or a day in UTC. */
      readonly last_used_before?: string;
      /** @description No request of the client was ever accepted, and no secret; false: all others. */
      readonly never_used?: boolean;
      /** @description A request or a secret was rejected at or after this time: RFC 3339, or a day in UTC. */
      readonly refused_since?: string;
      /**
       * @description Application type.
       * @enum {string}
       */
      readonly application_type?: 'web' | 'native';
      /**
       * @description Response types: the client's list contains this value.
       * @enum {string}
       */
      readonly response_types?:
        | 'code'
        | 'token'
        | 'id_token'
        | 'id_token token'
        | 'code id_token'
        | 'code token'
        | 'code id_token token';
      /**
       * @description Grant types: the client's list contains this value.
       * @enum {string}
       */
      readonly grant_types?:
        | 'authorization_code'
        | 'refresh_token'
        | 'client_credentials'
        | 'implicit'
        | 'password'
        | 'urn:ietf:params:oauth:grant-type:device_code'
        | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
        | 'urn:ietf:params:oauth:grant-type:saml2-bearer'
        | 'urn:ietf:params:oauth:grant-type:token-exchange';
      /**
       * @description Client authentication.
       * @enum {string}
       */
      readonly token_endpoint_auth_method?:
        'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
      /**
       * @description PKCE method.
       * @enum {string}
       */
      readonly code_challenge_method?: 'none' | 'plain' | 'S256';
      /**
       * @description Redirect URI validation.
       * @enum {string}
       */
      readonly redirect_uri_validation_method?: 'full_match' | 'prefix_match' | 'none';
      /**
       * @description Anonymous users; false: false or not set.
       * @enum {string}
       */
      readonly authorize_anonymous_users?: 'true' | 'false';
    };
    readonly NewJob: {
      /**
       * @example disable
       * @enum {string}
       */
      readonly action: 'enable' | 'disable' | 'delete' | 'patch' | 'fix';
      /**
       * @description Change the clients that match: the filters of GET /client. Empty: all.
       * @example {
       *       "label": [
       *         "team:shop"
       *       ],
       *       "enabled": true
       *     }
       */
      readonly filter?: components['schemas']['ClientFilterQuery'];
      /** @description Change only these clients, as far as they match. */
      readonly client_ids?: readonly string[];
      /** @description For `patch`: what to change in each client (RFC 7396). */
      readonly patch?: components['schemas']['ClientPatch'];
      /**
       * @description For `fix`: the code of the warning to resolve.
       * @enum {string}
       */
      readonly warning?:
        | 'not_oauth_compliant'
        | 'plain_http_redirect_uri'
        | 'localhost_redirect_uri'
        | 'weak_pkce'
        | 'discouraged_grant'
        | 'cookie_domain_dot';
      /** @description How many clients must match, such as the `total` of a dry run: if more or fewer do, the job fails and changes none. */
      readonly expected_total?: number;
      /**
       * @description Only find out what would change.
       * @default false
       */
      readonly dry_run?: boolean;
    };
    readonly JobActor: {
      /**
       * @description Id of the token, or `oidc:` and the subject of an issuer's access token.
       * @example 5f1d3a9c0b7e2468
       */
      readonly id: string;
      /**
       * @description The token's name at the time.
       * @example deployment pipeline
       */
      readonly name: string;
    };
    readonly Job: {
      /** @example 17 */
      readonly id: number;
      /**
       * @example disable
       * @enum {string}
       */
      readonly action: 'enable' | 'disable' | 'delete' | 'patch' | 'fix' | 'undo';
      /**
       * @description The filters of the clients it changes; absent for an undo.
       * @example {
       *       "label": [
       *         "team:shop"
       *       ],
       *       "enabled": true
       *     }
       */
      readonly filter?: {
        readonly [key: string]: unknown;
      };
      /** @description It changes only these clients. */
      readonly client_ids?: readonly string[];
      /** @description The merge patch, for the action `patch`. */
      readonly patch?: {
        readonly [key: string]: unknown;
      };
      /** @description The code of the warning, for the action `fix`. */
      readonly warning?: string;
      /**
       * @description It only finds out what would change.
       * @example false
       */
      readonly dry_run: boolean;
      /**
       * @description `collecting`: finding the clients; `running`: changing them. The other states are final.
       * @example finished
       * @enum {string}
       */
      readonly state: 'collecting' | 'running' | 'finished' | 'cancelled' | 'failed';
      /** @description Why it failed. */
      readonly problem?: components['schemas']['JobProblem'];
      /**
       * @description How many matching clients have been found so far.
       * @example 3
       */
      readonly total: number;
      /** @example 2 */
      readonly changed: number;
      /**
       * @description Clients that had nothing to change.
       * @example 1
       */
      readonly unchanged: number;
      /** @example 0 */
      readonly failed: number;
      readonly created_by: components['schemas']['JobActor'];
      /**
       * Format: date-time
       * @example 2026-11-22T18:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-22T18:00:09.000Z
       */
      readonly finished_at?: string;
      /** @description The job that it undoes. */
      readonly undoes?: number;
      /** @description The job that last undid it. */
      readonly undone_by?: number;
    };
    readonly JobList: {
      /**
       * @description The cursor of the next page; absent on the last one.
       * @example 41
       */
      readonly next?: number;
      /** @description Latest first. */
      readonly jobs: readonly components['schemas']['Job'][];
    };
    readonly ClientList: {
      readonly clients: readonly components['schemas']['Client'][];
      /**
       * @description Reading all pages reflects every change up to this one, and perhaps later ones: `since` of GET /clients/changes.
       * @example 42-9f86d081884c
       */
      readonly seq: string;
      /** @description The cursor of the next page; absent on the last one. */
      readonly next?: string;
      /**
       * @description How many clients there are, with `count=true`; at most 10000.
       * @example 1
       */
      readonly total?: number;
      /** @description Present with `total`; false if there are more. */
      readonly total_is_exact?: boolean;
    };
    readonly DeletedBy: {
      /**
       * @description Id of the token, or `oidc:` and the subject of an issuer's access token, `registration:` and a client_id, or `registry`.
       * @example 5f1d3a9c0b7e2468
       */
      readonly id: string;
      /**
       * @description The token's name at the time.
       * @example deployment pipeline
       */
      readonly name: string;
    };
    readonly DeletedClientDocument: {
      /** @example shop-web */
      readonly client_id: string;
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly deleted_at: string;
      readonly deleted_by: components['schemas']['DeletedBy'];
      /**
       * Format: date-time
       * @description It can be restored until then.
       * @example 2026-12-21T08:00:00.000Z
       */
      readonly restorable_until: string;
      /** @description The client as it would come back: disabled and without secrets. */
      readonly client: components['schemas']['Client'];
    };
    readonly DeletedClientPage: {
      /**
       * @description The cursor of the next page; absent on the last one.
       * @example 41
       */
      readonly next?: number;
      /** @description Latest deletion first. */
      readonly clients: readonly components['schemas']['DeletedClientDocument'][];
    };
    readonly LocatedActor: {
      /**
       * @description Id of the token, or `oidc:` and the subject of an issuer's access token, `registration:` and a client_id, `anonymous` or `registry`.
       * @example 5f1d3a9c0b7e2468
       */
      readonly id: string;
      /**
       * @description The token's name at the time.
       * @example deployment pipeline
       */
      readonly name: string;
      /**
       * @description Address that the request came from.
       * @example 192.0.2.7
       */
      readonly address: string;
      /**
       * @description What AUDIT_IP_LOOKUP has for the address now, by column; absent if it has nothing.
       * @example {
       *       "site": "Depot"
       *     }
       */
      readonly zone?: {
        readonly [key: string]: unknown;
      };
    };
    readonly HistoryEntry: {
      /**
       * @description Later changes have higher numbers; some numbers are never used.
       * @example 42
       */
      readonly seq: number;
      /** @example shop-web */
      readonly client_id: string;
      /** @enum {string} */
      readonly kind:
        | 'registered'
        | 'updated'
        | 'deleted'
        | 'restored'
        | 'enabled'
        | 'disabled'
        | 'secret_rotated'
        | 'secret_expiring';
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly at: string;
      /** @description Who made the change. */
      readonly actor: components['schemas']['LocatedActor'];
      /** @description The metadata that differs; never a secret. */
      readonly changed: readonly components['schemas']['FieldChange'][];
    };
    readonly HistoryPage: {
      /**
       * @description The cursor of the next page; absent on the last one.
       * @example 41
       */
      readonly next?: number;
      /** @description Latest first. */
      readonly changes: readonly components['schemas']['HistoryEntry'][];
    };
    readonly Actor: {
      /**
       * @description Id of the token, or `oidc:` and the subject of an issuer's access token, `registration:` and a client_id, `anonymous` or `registry`.
       * @example 5f1d3a9c0b7e2468
       */
      readonly id: string;
      /**
       * @description The token's name at the time.
       * @example deployment pipeline
       */
      readonly name: string;
      /**
       * @description Address that the request came from.
       * @example 192.0.2.7
       */
      readonly address: string;
    };
    readonly HistoryVersion: {
      /**
       * @description Later changes have higher numbers; some numbers are never used.
       * @example 42
       */
      readonly seq: number;
      /** @example shop-web */
      readonly client_id: string;
      /** @enum {string} */
      readonly kind:
        | 'registered'
        | 'updated'
        | 'deleted'
        | 'restored'
        | 'enabled'
        | 'disabled'
        | 'secret_rotated'
        | 'secret_expiring';
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly at: string;
      /** @description Who made the change. */
      readonly actor: components['schemas']['Actor'];
      /** @description What `PUT /client/{client_id}` takes to put this version back: all metadata after the change, or before a deletion. Never a secret; without redirect URIs that had an expiry, which would become permanent. */
      readonly metadata: components['schemas']['ClientUpdate'];
    };
    readonly ImportedClientDocument: {
      /** @example shop-web */
      readonly client_id: string;
      /**
       * @description Its line, counted from 1; absent for a deletion.
       * @example 1
       */
      readonly line?: number;
      /**
       * @example [
       *       "registered"
       *     ]
       */
      readonly changes: readonly ('registered' | 'updated' | 'deleted' | 'enabled' | 'disabled')[];
      /**
       * @description Something else managed it before: users, developers, an import or another set.
       * @example true
       */
      readonly taken_over?: boolean;
      /** @description For a new client; no other response contains it. Absent in a dry run, and if the import contains its secret. */
      readonly client_secret?: string;
      /**
       * @description Its secret is the one that the import contains.
       * @example true
       */
      readonly client_secret_imported?: boolean;
    };
    readonly ImportAnswer: {
      /**
       * @description Nothing was changed: this is what would be done.
       * @example false
       */
      readonly dry_run: boolean;
      /** @example false */
      readonly prune: boolean;
      /**
       * @description The set, if one was named.
       * @example shop
       */
      readonly set?: string;
      /**
       * @description New clients.
       * @example 1
       */
      readonly registered: number;
      /**
       * @description Clients whose metadata differed.
       * @example 0
       */
      readonly updated: number;
      /**
       * @description Clients that were disabled before.
       * @example 0
       */
      readonly enabled: number;
      /**
       * @description Clients that are now disabled: those that were enabled before, and new ones.
       * @example 0
       */
      readonly disabled: number;
      /**
       * @description Clients that others managed before; they are also in `updated`.
       * @example 0
       */
      readonly taken_over: number;
      /**
       * @description Clients of the set that the body did not list; with prune only.
       * @example 0
       */
      readonly deleted: number;
      /**
       * @description Clients that had nothing to change.
       * @example 0
       */
      readonly unchanged: number;
      /** @description Each client that changed, in the order of the lines; then those that were deleted. */
      readonly clients: readonly components['schemas']['ImportedClientDocument'][];
    };
    readonly WarningCount: {
      /**
       * @description Code of the warning.
       * @example weak_pkce
       */
      readonly code: string;
      /**
       * @description Clients with this warning.
       * @example 1
       */
      readonly clients: number;
    };
    readonly LabelCount: {
      /**
       * @description In the form that the filter `label` takes.
       * @example team:shop
       */
      readonly label: string;
      /**
       * @description Clients with this label.
       * @example 1
       */
      readonly clients: number;
    };
    readonly ManagerCount: {
      /**
       * @description users, developers, import or set:<name>; absent where it is not known.
       * @example users
       */
      readonly managed_by?: string;
      /**
       * @description Clients that it manages.
       * @example 1
       */
      readonly clients: number;
    };
    readonly AgeGroup: {
      /**
       * @description At most this many days ago; absent: longer ago than all others.
       * @example 7
       */
      readonly within_days?: number;
      /**
       * @description How many there are of this age.
       * @example 1
       */
      readonly count: number;
    };
    readonly ExpiringCount: {
      /** @example 30 */
      readonly within_days: number;
      /**
       * @description Secrets that expire by then.
       * @example 1
       */
      readonly count: number;
    };
    readonly SecretStats: {
      /**
       * @description Secrets.
       * @example 1
       */
      readonly count: number;
      /** @description By the time since they last passed a check; secrets that never did are in `never_used`. */
      readonly last_use: readonly components['schemas']['AgeGroup'][];
      /**
       * @description Secrets that never passed a check.
       * @example 1
       */
      readonly never_used: number;
      /**
       * @description Secrets that are still hashed as in the product that they were imported from.
       * @example 0
       */
      readonly imported_hashes: number;
      /** @description Secrets that expire within this many days; each span includes the shorter ones. */
      readonly expiring: readonly components['schemas']['ExpiringCount'][];
    };
    readonly UsageStats: {
      /** @description By the time since a request or a secret was last accepted; those of `never_used` are left out. */
      readonly last_use: readonly components['schemas']['AgeGroup'][];
      /**
       * @description Clients that never had a request or a secret accepted.
       * @example 1
       */
      readonly never_used: number;
      /**
       * @description Clients that had a request or a secret rejected in the last 24 hours.
       * @example 1
       */
      readonly refused: number;
    };
    readonly ClientStats: {
      /**
       * Format: date-time
       * @description When they were counted: up to 10 s ago.
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly as_of: string;
      /**
       * @description All clients.
       * @example 2
       */
      readonly clients: number;
      /**
       * @description Clients that are enabled.
       * @example 1
       */
      readonly enabled: number;
      /**
       * @description Clients that are disabled.
       * @example 1
       */
      readonly disabled: number;
      /**
       * @description Clients registered by developers that await approval; they count as disabled, too.
       * @example 0
       */
      readonly pending: number;
      /**
       * @description Clients with at least one warning.
       * @example 1
       */
      readonly with_warnings: number;
      /** @description Clients with each warning, the most frequent first. */
      readonly warnings: readonly components['schemas']['WarningCount'][];
      /** @description The 100 most frequent labels, the most frequent first. */
      readonly labels: readonly components['schemas']['LabelCount'][];
      /** @description Clients by what manages them, most first; at most 100. */
      readonly managers: readonly components['schemas']['ManagerCount'][];
      /** @description Clients by the time since their registration. */
      readonly age: readonly components['schemas']['AgeGroup'][];
      /** @description Currently valid secrets of clients that are not public. */
      readonly secrets: components['schemas']['SecretStats'];
      /** @description Clients by their last use. */
      readonly usage: components['schemas']['UsageStats'];
    };
    readonly RedirectUriUse: {
      /** @example https://shop.example/cb */
      readonly redirect_uri: string;
      /**
       * @description Whether it is registered now.
       * @example true
       */
      readonly is_registered: boolean;
      /**
       * @description Accepted requests by how they matched: exact, loopback_port, prefix, implied, unchecked.
       * @example {
       *       "exact": 12
       *     }
       */
      readonly matches?: {
        readonly [key: string]: number;
      };
      /**
       * Format: date-time
       * @description Absent: not in these days.
       */
      readonly last_at?: string;
    };
    readonly OriginUse: {
      /** @example 41 */
      readonly count: number;
      /**
       * Format: date-time
       * @description The first in the days that are added up.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly first_at: string;
      /**
       * Format: date-time
       * @description The last one.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly last_at: string;
      /**
       * @description Scheme, host and port.
       * @example https://shop.example
       */
      readonly origin: string;
    };
    readonly RefusalUse: {
      /** @example 41 */
      readonly count: number;
      /**
       * Format: date-time
       * @description The first in the days that are added up.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly first_at: string;
      /**
       * Format: date-time
       * @description The last one.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly last_at: string;
      /**
       * @description The violated rule.
       * @example no_match
       */
      readonly rule: string;
      /**
       * @description Scheme, host and port of the requested URI.
       * @example https://shop.example
       */
      readonly origin?: string;
      /**
       * @description The registered URI that matched; with `difference`, the one that nearly did.
       * @example https://shop.example/cb
       */
      readonly redirect_uri?: string;
      /** @example a slash at the end */
      readonly difference?: string;
    };
    readonly ValueUse: {
      /** @example 41 */
      readonly count: number;
      /**
       * Format: date-time
       * @description The first in the days that are added up.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly first_at: string;
      /**
       * Format: date-time
       * @description The last one.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly last_at: string;
      /** @example S256 */
      readonly value: string;
    };
    readonly SecretUseCount: {
      /**
       * @description Its last 4 characters.
       * @example bA1s
       */
      readonly hint: string;
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly created_at: string;
      /** @example 12 */
      readonly count: number;
      /**
       * Format: date-time
       * @description Absent: never.
       */
      readonly last_used_at?: string;
    };
    readonly PeriodUse: {
      /**
       * @description A day or, of old counts, a month; in UTC.
       * @example 2026-11-24
       */
      readonly period: string;
      /** @example 512 */
      readonly accepted: number;
      /** @example 41 */
      readonly refused: number;
    };
    readonly ClientUsageReport: {
      /**
       * @description Whether this registry records uses now.
       * @example true
       */
      readonly is_recorded: boolean;
      /**
       * Format: date-time
       * @description When recording began; absent: it never did.
       */
      readonly recorded_since?: string;
      /**
       * @description The first day that is added up.
       * @example 2026-10-26
       */
      readonly from: string;
      /**
       * @description Days whose counts are or may be incomplete; this always includes the current day.
       * @example [
       *       "2026-11-24"
       *     ]
       */
      readonly incomplete_days: readonly string[];
      /**
       * Format: date-time
       * @description When a request or a secret was last accepted; absent: never.
       */
      readonly last_used_at?: string;
      /**
       * Format: date-time
       * @description When one was last rejected; absent: never.
       */
      readonly last_refused_at?: string;
      /** @description The registered ones first, in their order. */
      readonly redirect_uris: readonly components['schemas']['RedirectUriUse'][];
      /** @description The most frequent first, at most 200. */
      readonly origins: readonly components['schemas']['OriginUse'][];
      /** @description The most frequent first, at most 200. */
      readonly refusals: readonly components['schemas']['RefusalUse'][];
      /** @description PKCE methods of accepted requests. */
      readonly pkce: readonly components['schemas']['ValueUse'][];
      /** @description Response types of accepted requests. */
      readonly response_types: readonly components['schemas']['ValueUse'][];
      /** @description The valid secrets, newest first. */
      readonly secrets: readonly components['schemas']['SecretUseCount'][];
      /** @description Oldest first; periods without any are left out. */
      readonly periods: readonly components['schemas']['PeriodUse'][];
    };
    readonly ReportedUse: {
      /** @enum {string} */
      readonly kind: 'request';
      /**
       * @description The violated rule; another word counts as `other`. Absent: it was accepted.
       * @example no_match
       */
      readonly refusal?: string;
      /**
       * @description The registered URI that matched; with `difference`, the one that nearly did.
       * @example https://shop.example/cb
       */
      readonly redirect_uri?: string;
      /**
       * @description How a registered URI matched.
       * @enum {string}
       */
      readonly match?: 'exact' | 'loopback_port' | 'prefix' | 'implied' | 'unchecked';
      /**
       * @description Scheme, host and port of a requested URI that is not registered; the rest is cut off.
       * @example https://shop.example
       */
      readonly origin?: string;
      /**
       * @description How it differs from `redirect_uri`.
       * @example a slash at the end
       */
      readonly difference?: string;
      /** @description prefix_match would accept it if its origin were registered. */
      readonly is_clean?: boolean;
      /** @enum {string} */
      readonly pkce: 'S256' | 'plain' | 'none' | 'other';
      /**
       * @description `missing`, `other`, or a response type.
       * @example code
       */
      readonly response_type: string;
      /**
       * @description Stands for several uses that were too varied to be counted separately.
       * @enum {boolean}
       */
      readonly others?: true;
    };
    readonly ReportedAssertion: {
      /** @enum {string} */
      readonly kind: 'assertion';
      /**
       * @description The violated rule; absent: it was valid.
       * @enum {string}
       */
      readonly refusal?:
        | 'assertion_malformed'
        | 'assertion_method'
        | 'assertion_algorithm'
        | 'assertion_keys_unavailable'
        | 'assertion_no_key'
        | 'assertion_signature'
        | 'assertion_issuer'
        | 'assertion_subject'
        | 'assertion_audience'
        | 'assertion_expired'
        | 'assertion_lifetime'
        | 'assertion_not_yet_valid'
        | 'assertion_jti'
        | 'assertion_jti_used'
        | 'assertion_too_many'
        | 'assertion_other';
    };
    readonly ReportedSecret: {
      /** @enum {string} */
      readonly kind: 'secret';
      /**
       * @description The client is disabled.
       * @enum {string}
       */
      readonly refusal: 'client_disabled';
    };
    readonly ReportedRow: {
      /** @example shop-web */
      readonly client_id: string;
      /**
       * Format: date-time
       * @description `created_at` of the client as it was read. A use is not counted for a later client with the same id.
       * @example 2026-11-20T09:30:00.125Z
       */
      readonly client_created_at?: string;
      readonly use:
        | components['schemas']['ReportedUse']
        | components['schemas']['ReportedAssertion']
        | components['schemas']['ReportedSecret'];
      /** @example 12 */
      readonly count: number;
      /**
       * Format: date-time
       * @description The first of them.
       * @example 2026-11-24T08:00:00.000Z
       */
      readonly first_at: string;
      /**
       * Format: date-time
       * @description The last of them, on the same day in UTC.
       * @example 2026-11-24T08:00:00.000Z
       */
      readonly last_at: string;
    };
    readonly UsageReport: {
      /**
       * @description Unique. A batch that is sent again counts once.
       * @example 0c7a2e4e-8f0f-4a39-9d3e-3a2f6b1f9c55
       */
      readonly batch_id: string;
      /**
       * @description The process that counts. Its intervals must follow each other without a gap.
       * @example b1d1e1c2-6f5b-4f0e-8f5c-7f9a0e2d4c11
       */
      readonly reporter: string;
      /**
       * Format: date-time
       * @description Start of the interval: the end of the previous one.
       * @example 2026-11-24T08:00:00.000Z
       */
      readonly from: string;
      /**
       * Format: date-time
       * @description End of the interval, at most 24 hours ago; equal to `from` if further batches of it follow.
       * @example 2026-11-24T08:00:00.000Z
       */
      readonly to: string;
      /**
       * @description The process is ending; this is its last interval.
       * @enum {boolean}
       */
      readonly is_final?: true;
      /**
       * @description Uses of the interval are missing.
       * @enum {boolean}
       */
      readonly is_incomplete?: true;
      readonly rows: readonly components['schemas']['ReportedRow'][];
    };
    readonly UsageReceipt: {
      /**
       * @description False: this registry does not record how clients are used.
       * @example true
       */
      readonly recorded: boolean;
    };
    readonly RecommendedRequest: {
      /** @enum {string} */
      readonly method: 'PATCH' | 'POST';
      /** @example /client/shop-web */
      readonly path: string;
      /**
       * @description In JSON; of a PATCH, the patch.
       * @example {
       *       "redirect_uri_validation_method": "full_match"
       *     }
       */
      readonly body?: {
        readonly [key: string]: unknown;
      };
      /**
       * @description Only for a PATCH: the values that it replaces. A PATCH with them undoes it.
       * @example {
       *       "redirect_uri_validation_method": "prefix_match"
       *     }
       */
      readonly replaces?: {
        readonly [key: string]: unknown;
      };
    };
    readonly SeenUse: {
      /**
       * @description A registered redirect URI, the scheme, host and port of another one, or a PKCE method.
       * @example https://shop.example/cb
       */
      readonly value: string;
      /**
       * @description How often.
       * @example 812
       */
      readonly count: number;
      /**
       * Format: date-time
       * @example 2026-11-24T09:12:00.000Z
       */
      readonly last_at: string;
    };
    readonly RecommendationEvidence: {
      /**
       * @description The first day (UTC).
       * @example 2026-10-25
       */
      readonly from: string;
      /**
       * @description The last complete day. Uses of the current one count, too.
       * @example 2026-11-23
       */
      readonly to: string;
      /**
       * @description Accepted requests.
       * @example 812
       */
      readonly requests: number;
      /**
       * @description Accepted checks of secrets.
       * @example 0
       */
      readonly secret_checks: number;
      /**
       * @description Refused requests and secrets.
       * @example 3
       */
      readonly refused: number;
      /**
       * Format: date-time
       * @description When a request or a secret was last accepted, also before these days; absent: never.
       */
      readonly last_used_at?: string;
      /** @description What was used, the most frequent first, at most 200. */
      readonly seen: readonly components['schemas']['SeenUse'][];
      /**
       * @description What was not used: redirect URIs, or the last characters of secrets.
       * @example [
       *       "https://old.shop.example/cb"
       *     ]
       */
      readonly unused: readonly string[];
    };
    readonly RecommendationReplay: {
      /**
       * @description Recorded requests that the client accepts.
       * @example 812
       */
      readonly requests: number;
      /**
       * @description Those that it would reject after the change: always 0, because no other changes are recommended.
       * @example 0
       */
      readonly refused: number;
    };
    readonly RecommendationDocument: {
      /** @example shop-web */
      readonly client_id: string;
      /** @example Shop */
      readonly client_name: string;
      /**
       * @example use_full_match
       * @enum {string}
       */
      readonly kind:
        | 'disable'
        | 'remove_redirect_uris'
        | 'require_s256'
        | 'retire_secrets'
        | 'use_full_match'
        | 'use_prefix_match';
      /** @example all 812 requests have used a registered URI exactly since 2026-10-25 */
      readonly reason: string;
      /**
       * @description ETag of the client, for If-Match.
       * @example "42-9f86d081884c"
       */
      readonly etag: string;
      readonly request: components['schemas']['RecommendedRequest'];
      readonly evidence: components['schemas']['RecommendationEvidence'];
      readonly replay: components['schemas']['RecommendationReplay'];
    };
    readonly RecommendationList: {
      /** @description By client_id and kind. */
      readonly recommendations: readonly components['schemas']['RecommendationDocument'][];
      /**
       * @description Clients that were examined.
       * @example 50
       */
      readonly examined: number;
      /**
       * @description Clients whose usage or history is too incomplete to recommend anything.
       * @example 0
       */
      readonly unproven: number;
      /**
       * @description Days for which some of those clients lack counts.
       * @example []
       */
      readonly incomplete_days: readonly string[];
      /** @description The cursor of the next page; absent on the last one. */
      readonly next?: string;
    };
    readonly RequestError: {
      /**
       * @description RFC 6749 section 4.1.2.1.
       * @enum {string}
       */
      readonly error: 'invalid_request' | 'unauthorized_client' | 'unsupported_response_type';
      /**
       * @description The violated rule, for programs.
       * @example response_type_not_registered
       */
      readonly rule: string;
      /**
       * @description For the developer of the application.
       * @example the client is not registered for this response_type
       */
      readonly error_description: string;
      /**
       * @description Present if the error must be shown on the server's own page: do not redirect.
       * @enum {boolean}
       */
      readonly must_not_redirect?: true;
    };
    readonly RedirectUriMatch: {
      /** @example true */
      readonly matches: boolean;
      /**
       * @description The registered URI that it matches.
       * @example https://shop.example/cb
       */
      readonly registered?: string;
      /**
       * @description The rule that decided, for programs.
       * @example exact
       */
      readonly rule: string;
      /**
       * @description The rule that decided, as text.
       * @example is registered
       */
      readonly message: string;
    };
    readonly AuthorizationRequestCheck: {
      /** @example true */
      readonly valid: boolean;
      /** @example [] */
      readonly errors: readonly components['schemas']['RequestError'][];
      /**
       * @description Where to send the response, including errors; absent if it must not redirect.
       * @example https://shop.example/cb
       */
      readonly redirect_uri?: string;
      /** @description How the redirect URI of the request was compared; absent when it has none. */
      readonly redirect_uri_match?: components['schemas']['RedirectUriMatch'];
    };
    readonly CheckSecretBody: {
      /**
       * @description What the client sent as its client_secret.
       * @example WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s
       */
      readonly client_secret: string;
    };
    readonly SecretCheck: {
      /** @example true */
      readonly valid: boolean;
      /**
       * @description Seconds since 1970; 0 when it does not expire (RFC 7591 section 3.2.1). Absent when the secret is not valid.
       * @example 0
       */
      readonly client_secret_expires_at?: number;
    };
    readonly CheckClientAssertionBody: {
      /**
       * @description What the client sent as its client_assertion.
       * @example eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJzaG9wIn0.c2lnbmF0dXJl
       */
      readonly client_assertion: string;
      /**
       * @description What identifies the authorization server: its issuer, and its token endpoint if that is accepted, too. The assertion must be for one of them.
       * @example [
       *       "https://login.example.com"
       *     ]
       */
      readonly audience: readonly string[];
    };
    readonly ClientAssertionCheck: {
      /** @example true */
      readonly valid: boolean;
      /**
       * @description The violated rule, for programs.
       * @enum {string}
       */
      readonly rule?:
        | 'malformed'
        | 'method'
        | 'algorithm'
        | 'keys_unavailable'
        | 'no_key'
        | 'signature'
        | 'issuer'
        | 'subject'
        | 'audience'
        | 'expired'
        | 'lifetime'
        | 'not_yet_valid'
        | 'jti'
        | 'jti_used'
        | 'too_many';
      /**
       * @description The violated rule, for the developer of the application.
       * @example the assertion has expired
       */
      readonly message?: string;
    };
    readonly CheckCookieWebhookBody: {
      /**
       * @description Claims that extend or replace those of the sample user.
       * @example {
       *       "email": "sample@example.com"
       *     }
       */
      readonly user?: {
        readonly [key: string]: unknown;
      };
    };
    readonly ProbeReport: {
      /**
       * @description Whether the webhook can be used as it is.
       * @example true
       */
      readonly ok: boolean;
      /**
       * @description The HTTP status; absent without a response.
       * @example 200
       */
      readonly status?: number;
      /** @example 42 */
      readonly duration_ms: number;
      /**
       * @description The cookies in the response, name to value.
       * @example {
       *       "session": "b0f1c2"
       *     }
       */
      readonly cookies?: {
        readonly [key: string]: unknown;
      };
      /**
       * @description Why it cannot be used.
       * @example []
       */
      readonly problems: readonly components['schemas']['Violation'][];
    };
    readonly ExplainBody: {
      /**
       * @description The address of the authorization request as the browser shows it, or its query alone. Values of parameters that no check needs, such as state, may be left out; the registry ignores them.
       * @example https://login.example/authorize?response_type=code&client_id=shop-web&redirect_uri=https%3A%2F%2Fshop.example%2Fcb%2F
       */
      readonly url: string;
    };
    readonly RequestNote: {
      /**
       * @example fragment
       * @enum {string}
       */
      readonly code: 'fragment' | 'encoded_twice' | 'response_mode';
      /** @example browsers do not send what follows # in the URL */
      readonly message: string;
    };
    readonly NearestRedirectUri: {
      /** @example https://shop.example/cb */
      readonly redirect_uri: string;
      /**
       * @description The one common mistake that explains the difference; absent: none does.
       * @example a slash at the end
       */
      readonly difference?: string;
      /**
       * @description Length of the common prefix, in UTF-16 code units.
       * @example 23
       */
      readonly common_start: number;
      /**
       * @description Length of the common suffix beyond it.
       * @example 0
       */
      readonly common_end: number;
    };
    readonly BreakingChange: {
      /**
       * @description Later changes have higher numbers; some numbers are never used.
       * @example 42
       */
      readonly seq: number;
      /** @example shop-web */
      readonly client_id: string;
      /** @enum {string} */
      readonly kind:
        | 'registered'
        | 'updated'
        | 'deleted'
        | 'restored'
        | 'enabled'
        | 'disabled'
        | 'secret_rotated'
        | 'secret_expiring';
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly at: string;
      /** @description Who made the change. */
      readonly actor: components['schemas']['Actor'];
      /** @description What it changed of the fields that checks compare. */
      readonly changed: readonly components['schemas']['FieldChange'][];
    };
    readonly Explanation: {
      /** @example shop-web */
      readonly client_id: string;
      /**
       * @description Absent when the client was deleted.
       * @example Shop
       */
      readonly client_name?: string;
      /** @example false */
      readonly valid: boolean;
      /** @description Every violated rule. client_deleted: the client no longer exists. */
      readonly errors: readonly components['schemas']['RequestError'][];
      /**
       * @description Hints, and what the check does not cover.
       * @example []
       */
      readonly notes: readonly components['schemas']['RequestNote'][];
      /**
       * @description As requested, decoded once.
       * @example https://shop.example/cb/
       */
      readonly redirect_uri?: string;
      /** @description How it was compared. */
      readonly redirect_uri_match?: components['schemas']['RedirectUriMatch'];
      /** @description Present when the requested redirect URI matches none and at least one is registered. */
      readonly nearest?: components['schemas']['NearestRedirectUri'];
      /**
       * Format: date-time
       * @description When such a request was last accepted, as far as usage is kept; absent: not since `recorded_since`.
       * @example 2026-11-24T09:11:40.000Z
       */
      readonly last_worked_at?: string;
      /**
       * Format: date-time
       * @description When the recording of usage began; absent: it never did, or the client is deleted.
       * @example 2026-10-01T08:00:00.000Z
       */
      readonly recorded_since?: string;
      /**
       * @description changed: `broken_by` broke it; expired: the redirect URI expired at `expired_at`; never_valid: the registry never accepted it; unknown: the history does not say, or is not kept that long. Absent when the request is valid.
       * @example changed
       * @enum {string}
       */
      readonly history?: 'changed' | 'expired' | 'never_valid' | 'unknown';
      /** @description The change that broke it. */
      readonly broken_by?: components['schemas']['BreakingChange'];
      /**
       * Format: date-time
       * @description When the temporary redirect URI ended.
       */
      readonly expired_at?: string;
    };
    readonly FeedChange: {
      /**
       * @description Later changes have higher numbers; some numbers are never used.
       * @example 42
       */
      readonly seq: number;
      /** @example shop-web */
      readonly client_id: string;
      /** @enum {string} */
      readonly kind:
        | 'registered'
        | 'updated'
        | 'deleted'
        | 'restored'
        | 'enabled'
        | 'disabled'
        | 'secret_rotated'
        | 'secret_expiring';
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly at: string;
      /** @description Who made the change; absent without the scope clients:read. */
      readonly actor?: components['schemas']['Actor'];
      /** @description The client as it is when the change is read, never as it was before the change; null when it no longer exists, or the token no longer reaches it. */
      readonly client: components['schemas']['Client'] | null;
      /**
       * @description This change as `since` names it: its number and a random mark. Treat it as opaque.
       * @example 42-9f86d081884c
       */
      readonly cursor: string;
    };
    readonly ChangeList: {
      readonly changes: readonly components['schemas']['FeedChange'][];
      /**
       * @description `since` of the next page; absent on the last one.
       * @example 42-9f86d081884c
       */
      readonly next?: string;
      /**
       * @description The latest change: use it as `since` once you have read all pages.
       * @example 42-9f86d081884c
       */
      readonly last_seq: string;
    };
    readonly EventActor: {
      /**
       * @description Id of the token, or `oidc:` and the subject of an access token; may be empty.
       * @example 5f1d3a9c0b7e2468
       */
      readonly id: string;
      /**
       * @description The name at the time, chosen by the creator of the token or by the issuer.
       * @example deployment pipeline
       */
      readonly name: string;
      /**
       * @description Where id and name are from: the URL of an issuer, or `token` (an API token), `registration` (a registration access token), `shell` (the command line), `registry` (the registry itself), `none` (an unknown caller), `several` (more callers than are listed one by one).
       * @example token
       */
      readonly source: string;
      /**
       * @description Address of the request; empty if there was none.
       * @example 192.0.2.7
       */
      readonly address: string;
    };
    readonly SecurityEvent: {
      /**
       * @description Its place in the audit log; there are no gaps.
       * @example 42
       */
      readonly seq: number;
      /**
       * Format: date-time
       * @example 2026-11-21T08:00:00.000Z
       */
      readonly at: string;
      /**
       * @example token_revoked
       * @enum {string}
       */
      readonly kind:
        | 'token_created'
        | 'token_first_used'
        | 'token_revoked'
        | 'token_expired'
        | 'token_refused'
        | 'signed_in'
        | 'credential_refused'
        | 'settings_changed'
        | 'client_registered'
        | 'client_approved'
        | 'pending_client_deleted'
        | 'registration_refused'
        | 'registration_token_created'
        | 'registration_token_renewed'
        | 'registration_token_revoked'
        | 'registration_token_expired'
        | 'unused_client_disabled'
        | 'unused_client_deleted'
        | 'deleted_client_purged'
        | 'secret_rotated'
        | 'clients_exported'
        | 'clients_imported'
        | 'record_broken'
        | 'record_unverified';
      readonly actor: components['schemas']['EventActor'];
      /**
       * @description Id of a token or client; empty if there is none.
       * @example 5f1d3a9c0b7e2468
       */
      readonly subject: string;
      /**
       * @description By kind. `count` and `until`: how often it happened, and when last, if more than once in a minute.
       * @example {
       *       "name": "deployment pipeline"
       *     }
       */
      readonly details: {
        readonly [key: string]: unknown;
      };
      /**
       * @description Covers the event and all before it; `registry-api audit verify` verifies it.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      readonly mac: string;
    };
    readonly SecurityEventList: {
      /**
       * @description The cursor of the next page; absent on the last one.
       * @example 41
       */
      readonly next?: number;
      /** @description Latest first. */
      readonly events: readonly components['schemas']['SecurityEvent'][];
    };
    readonly CookieHost: {
      /** @example shop.example.com */
      readonly hostname: string;
      /**
       * @description The cookie entry points on it; there should be one.
       * @example [
       *       "https://shop.example.com/auth/cookie"
       *     ]
       */
      readonly entrypoints: readonly string[];
      /**
       * @description Number of such clients on it.
       * @example 1
       */
      readonly client_count: number;
      /**
       * @description The first 100 of them.
       * @example [
       *       "shop-web"
       *     ]
       */
      readonly clients: readonly string[];
    };
    readonly CookieEntrypoints: {
      readonly hosts: readonly components['schemas']['CookieHost'][];
      /**
       * @description The hostnames without an entry point.
       * @example []
       */
      readonly lacking: readonly string[];
    };
    readonly ClientInformation: {
      /**
       * @description Where the client is managed.
       * @example https://registry.example.com/register/shop-web
       */
      readonly registration_client_uri: string;
      /**
       * @description The token with which the client is managed.
       * @example svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E
       */
      readonly registration_access_token: string;
      /** @example shop-web */
      readonly client_id: string;
      /** @description Only with client_secret_basic or client_secret_post: in the response to a registration, to a change of token_endpoint_auth_method from none or private_key_jwt, and to an update while no secret is valid any more. */
      readonly client_secret?: string;
      /**
       * @description Seconds since 1970.
       * @example 1795248000
       */
      readonly client_id_issued_at: number;
      /** @description Seconds since 1970; 0: it does not expire. Absent where token_endpoint_auth_method is none or private_key_jwt. */
      readonly client_secret_expires_at?: number;
      /** @description The client fails every check until an administrator of the registry enables it. */
      readonly pending?: boolean;
    };
    readonly NewRegistrationToken: {
      /**
       * @description Only this response contains it.
       * @example svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E
       */
      readonly registration_access_token: string;
      /**
       * Format: date-time
       * @description Absent: it does not expire.
       */
      readonly expires_at?: string;
    };
    /** @description A problem document (RFC 9457), with the two members of OAuth. */
    readonly Problem: {
      /**
       * @description URI of the kind of problem.
       * @example about:blank
       */
      readonly type: string;
      /**
       * @description Name of the kind of problem.
       * @example Bad Request
       */
      readonly title: string;
      /**
       * @description The HTTP status.
       * @example 400
       */
      readonly status: number;
      /**
       * @description What is wrong and how to fix it.
       * @example redirect_uris/1: must be an absolute URI
       */
      readonly detail: string;
      /**
       * @description Path of the request.
       * @example /client
       */
      readonly instance: string;
      /**
       * @description Finds the request in the log.
       * @example req-1
       */
      readonly request_id: string;
      /**
       * @description OAuth error code (RFC 6749 section 5.2, RFC 6750 section 3.1, RFC 7591 section 3.2.2), such as invalid_request.
       * @example invalid_request
       */
      readonly error: string;
      /**
       * @description `detail` in ASCII.
       * @example redirect_uris/1: must be an absolute URI
       */
      readonly error_description: string;
      /** @description Each violation and where it is. */
      readonly errors?: readonly components['schemas']['Violation'][];
    };
    /**
     * @example {
     *       "client_id": "shop-web",
     *       "client_id_issued_at": 1795248000,
     *       "enabled": true,
     *       "client_secrets": [],
     *       "cookie_name": "auth-shop-web",
     *       "created_at": "2026-11-21T08:00:00.000Z",
     *       "updated_at": "2026-11-21T08:00:00.000Z",
     *       "warnings": [],
     *       "client_name": "My web application",
     *       "client_uri": "https://app.example.com/",
     *       "redirect_uris": [
     *         "https://app.example.com/callback"
     *       ],
     *       "application_type": "web",
     *       "response_types": [
     *         "code"
     *       ],
     *       "grant_types": [
     *         "authorization_code"
     *       ],
     *       "token_endpoint_auth_method": "none",
     *       "code_challenge_method": "S256",
     *       "redirect_uri_validation_method": "full_match"
     *     }
     */
    readonly Client: {
      /**
       * Client ID
       * @description The public identifier of the client. Opaque and generated, or chosen at registration. (RFC 7591 section 3.2.1)
       */
      readonly client_id: string;
      /**
       * Name
       * @description The application's name, shown to users on sign-in and consent pages. (RFC 7591 section 2)
       */
      readonly client_name: string;
      /**
       * Client secret
       * @description The password of a confidential client. Generated, and shown once. (RFC 7591 section 3.2.1)
       */
      readonly client_secret?: string;
      /**
       * Home page
       * Format: uri
       * @description A web page about the application, shown to users as a link. (RFC 7591 section 2)
       */
      readonly client_uri?: string;
      /**
       * Redirect URIs
       * @description Where the authorization server may redirect users, each with its full path. Empty only if no grant type redirects. (RFC 7591 section 2; RFC 6749 section 3.1.2)
       */
      readonly redirect_uris: readonly string[];
      /**
       * Application type
       * @description web: runs on a web server or in a browser; native: installed on a device. (OpenID Connect Dynamic Client Registration 1.0 section 2)
       * @default web
       * @enum {string}
       */
      readonly application_type: 'web' | 'native';
      /**
       * Response types
       * @description What the client may request from the authorization endpoint. Must agree with the grant types. (RFC 7591 section 2)
       * @default [
       *       "code"
       *     ]
       */
      readonly response_types: readonly (
        | 'code'
        | 'token'
        | 'id_token'
        | 'id_token token'
        | 'code id_token'
        | 'code token'
        | 'code id_token token'
      )[];
      /**
       * Grant types
       * @description What the client may exchange for tokens at the token endpoint. Must agree with the response types. (RFC 7591 section 2)
       * @default [
       *       "authorization_code"
       *     ]
       */
      readonly grant_types: readonly (
        | 'authorization_code'
        | 'refresh_token'
        | 'client_credentials'
        | 'implicit'
        | 'password'
        | 'urn:ietf:params:oauth:grant-type:device_code'
        | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
        | 'urn:ietf:params:oauth:grant-type:saml2-bearer'
        | 'urn:ietf:params:oauth:grant-type:token-exchange'
      )[];
      /**
       * Client authentication
       * @description How the client proves its identity at the token endpoint. none makes it a public client. (RFC 7591 section 2)
       * @default none
       * @enum {string}
       */
      readonly token_endpoint_auth_method:
        'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
      /**
       * Contacts
       * @description Whom to contact about the client, such as email addresses. Users may see them. (RFC 7591 section 2)
       */
      readonly contacts?: readonly string[];
      /**
       * PKCE method
       * @description The code challenge method that authorization requests must use; none: PKCE is not required. (RFC 7636 section 4.3)
       * @default none
       * @enum {string}
       */
      readonly code_challenge_method: 'none' | 'plain' | 'S256';
      /**
       * Redirect URI validation
       * @description How a request's redirect URI is compared with the registered ones. (RFC 9700 section 2.1)
       * @default full_match
       * @enum {string}
       */
      readonly redirect_uri_validation_method: 'full_match' | 'prefix_match' | 'none';
      /**
       * Cookie name
       * @description The name of the cookie in cookie-based authorization. Derived from client_id, so it never changes. (RFC 6265 section 4.1.1)
       */
      readonly cookie_name: string;
      /**
       * Cookie webhook
       * Format: uri
       * @description A back-channel URI that takes a JSON PUT and returns a JSON object of cookies to set. (this registry)
       */
      readonly cookie_webhook_uri?: string;
      /**
       * Cookie entry point
       * Format: uri
       * @description The public URI on the client's host that sets its cookie in cookie-based authorization. (this registry)
       */
      readonly cookie_entry_uri?: string;
      /**
       * Cookie domain
       * @description The domain of the client's cookie. (RFC 6265 section 4.1.2.3)
       */
      readonly cookie_domain?: string;
      /**
       * Authorize URI
       * Format: uri
       * @description The authorization endpoint for this client, if it differs from the server's own. (RFC 6749 section 3.1)
       */
      readonly authorize_uri?: string;
      /**
       * Sign-in page
       * Format: uri
       * @description The page where this client's users sign in. (this registry)
       */
      readonly login_uri?: string;
      /**
       * Anonymous users
       * @description Whether users who are not signed in are also authorized, with the credentials of anonymous_cid. (this registry)
       */
      readonly authorize_anonymous_users?: boolean;
      /**
       * Anonymous credentials
       * @description The id of the credentials that anonymous users have. (this registry)
       */
      readonly anonymous_cid?: string;
      /**
       * Session expiration
       * @description How long a session of this client lasts: a number of seconds, or a number and a unit, as in 12h. (this registry)
       */
      readonly session_expiration?: number | string;
      /**
       * Labels
       * @description Key-value pairs, such as the team that owns the client. Lists can be filtered by them, and tokens restricted to them. (this registry)
       */
      readonly labels?: {
        readonly [key: string]: string;
      };
      /**
       * Description
       * @description What the client is for: a note for administrators. (this registry)
       */
      readonly description?: string;
      /** @description When the client was registered, in seconds since 1970-01-01T00:00:00Z. (RFC 7591 section 3.2.1) */
      readonly client_id_issued_at: number;
      /** @description When the client_secret expires, in seconds since 1970-01-01T00:00:00Z; 0 if it does not. (RFC 7591 section 3.2.1) */
      readonly client_secret_expires_at?: number;
      /** @description The last 4 characters of the client_secret; empty if it was imported as a hash. (this registry) */
      readonly client_secret_hint?: string;
      /** @description The client_secrets, newest first, without their values: hint (the last 4 characters), created_at, expires_at (absent: never), in RFC 3339; in lists and exports last_used_at too (known to the hour; absent: never). `imported`: it was imported; in lists and exports also imported_hash (the scheme of a hash of another product, until the secret passes a check) and imported_hash_ends_at. After a rotation with an overlap there are two; one whose expires_at has passed is no longer valid. (this registry) */
      readonly client_secrets: readonly {
        readonly hint: string;
        /** Format: date-time */
        readonly created_at: string;
        /** Format: date-time */
        readonly expires_at?: string;
        /** Format: date-time */
        readonly last_used_at?: string;
        readonly imported?: boolean;
        readonly imported_hash?: string;
        /** Format: date-time */
        readonly imported_hash_ends_at?: string;
      }[];
      /** @description The temporary redirect_uris: from expires_at (RFC 3339) on, they fail every check; they are removed soon after. POST /client/{client_id}/redirect_uris adds them. Absent when there are none. (this registry) */
      readonly temporary_redirect_uris?: readonly {
        readonly redirect_uri: string;
        /** Format: date-time */
        readonly expires_at: string;
        readonly note?: string;
      }[];
      /** @description session_expiration in seconds. (this registry) */
      readonly session_expiration_seconds?: number;
      /** @description The token with which a developer manages the client. (RFC 7592 section 3) */
      readonly registration_access_token?: string;
      /** @description Where a developer manages the client. (RFC 7592 section 3) */
      readonly registration_client_uri?: string;
      /** @description False while the client is disabled: it fails every check. (this registry) */
      readonly enabled: boolean;
      /** @description True: the client came through open registration, and is disabled until an administrator enables it. Absent otherwise. (this registry) */
      readonly pending?: boolean;
      /** @description What manages the client: users, developers (POST /register), import, or set:<name> for a set of declarations. Absent for clients from before it was recorded. (this registry) */
      readonly managed_by?: string;
      /** @description The token that registered the client: its id, and its name at the time. Absent for clients from before it was recorded. (this registry) */
      readonly registered_by?: {
        readonly id?: string;
        readonly name?: string;
      };
      /** @description When the client was registered (RFC 3339). (this registry) */
      readonly created_at: string;
      /** @description When the client was last changed (RFC 3339). (this registry) */
      readonly updated_at: string;
      /** @description Settings that are allowed but rarely wise: a field, a code and a message each. (this registry) */
      readonly warnings: readonly {
        readonly field: string;
        readonly code: string;
        readonly message: string;
      }[];
      /**
       * Logo
       * Format: uri
       * @description An image of the application, shown to users. (RFC 7591 section 2)
       */
      readonly logo_uri?: string;
      /**
       * Terms of service
       * Format: uri
       * @description A web page with the terms of service, shown to users as a link. (RFC 7591 section 2)
       */
      readonly tos_uri?: string;
      /**
       * Privacy policy
       * Format: uri
       * @description A web page about how the application uses personal data, shown to users as a link. (RFC 7591 section 2)
       */
      readonly policy_uri?: string;
      /**
       * Scopes
       * @description The scopes that the client may request, separated by spaces. Without it, there is no limit. (RFC 7591 section 2; RFC 6749 section 3.3)
       */
      readonly scope?: string;
      /**
       * Address of public keys
       * Format: uri
       * @description Where the client publishes its public keys, as a JSON Web Key Set. It can't be used with jwks. (RFC 7591 section 2)
       */
      readonly jwks_uri?: string;
      /**
       * Public keys
       * @description The client's public keys, as a JSON Web Key Set. It can't be used with jwks_uri. (RFC 7591 section 2; RFC 7517 section 5)
       */
      readonly jwks?: {
        readonly keys: readonly {
          readonly kty: string;
        }[];
      };
      /**
       * Signature algorithm of client authentication
       * @description The only algorithm with which the client may sign private_key_jwt assertions. Any if absent. (OpenID Connect Dynamic Client Registration 1.0 section 2)
       * @enum {string}
       */
      readonly token_endpoint_auth_signing_alg?:
        | 'PS256'
        | 'PS384'
        | 'PS512'
        | 'RS256'
        | 'RS384'
        | 'RS512'
        | 'ES256'
        | 'ES384'
        | 'ES512'
        | 'Ed25519'
        | 'EdDSA';
      /**
       * Redirect URIs after logout
       * @description Where the authorization server may redirect users after logout. (OpenID Connect RP-Initiated Logout 1.0 section 3.1)
       */
      readonly post_logout_redirect_uris?: readonly string[];
      /**
       * Back-channel logout
       * Format: uri
       * @description Where the authorization server sends a logout token when a session of the client ends. (OpenID Connect Back-Channel Logout 1.0 section 2.2)
       */
      readonly backchannel_logout_uri?: string;
      /**
       * Back-channel logout with session ID
       * @description Whether logout tokens must contain the session ID (sid). (OpenID Connect Back-Channel Logout 1.0 section 2.2)
       */
      readonly backchannel_logout_session_required?: boolean;
      /**
       * Front-channel logout
       * Format: uri
       * @description A page of the client that logs users out, loaded in their browser when their session ends. Its scheme, host and port are a redirect URI's. (OpenID Connect Front-Channel Logout 1.0 section 2)
       */
      readonly frontchannel_logout_uri?: string;
      /**
       * Front-channel logout with session ID
       * @description Whether the page must be loaded with the issuer (iss) and the session ID (sid). (OpenID Connect Front-Channel Logout 1.0 section 2)
       */
      readonly frontchannel_logout_session_required?: boolean;
    };
    /** @description A client, with its client_secret the first time. */
    readonly RegisteredClient: {
      /**
       * @description No other response contains it. Absent with Idempotency-Replayed.
       * @example WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s
       */
      readonly client_secret?: string;
    } & WithRequired<components['schemas']['Client'], 'client_id'>;
    /**
     * @example {
     *       "client_name": "My web application",
     *       "client_uri": "https://app.example.com/",
     *       "redirect_uris": [
     *         "https://app.example.com/callback"
     *       ],
     *       "code_challenge_method": "S256"
     *     }
     */
    readonly ClientRegistration: {
      /**
       * Name
       * @description The application's name, shown to users on sign-in and consent pages. (RFC 7591 section 2)
       */
      readonly client_name: string;
      /**
       * Home page
       * Format: uri
       * @description A web page about the application, shown to users as a link. (RFC 7591 section 2)
       */
      readonly client_uri?: string;
      /**
       * Redirect URIs
       * @description Where the authorization server may redirect users, each with its full path. Empty only if no grant type redirects. (RFC 7591 section 2; RFC 6749 section 3.1.2)
       */
      readonly redirect_uris: readonly string[];
      /**
       * Application type
       * @description web: runs on a web server or in a browser; native: installed on a device. (OpenID Connect Dynamic Client Registration 1.0 section 2)
       * @default web
       * @enum {string}
       */
      readonly application_type?: 'web';
      /**
       * Response types
       * @description What the client may request from the authorization endpoint. Must agree with the grant types. (RFC 7591 section 2)
       * @default [
       *       "code"
       *     ]
       */
      readonly response_types?: readonly 'code'[];
      /**
       * Grant types
       * @description What the client may exchange for tokens at the token endpoint. Must agree with the response types. (RFC 7591 section 2)
       * @default [
       *       "authorization_code"
       *     ]
       */
      readonly grant_types?: readonly 'authorization_code'[];
      /**
       * Client authentication
       * @description How the client proves its identity at the token endpoint. none makes it a public client. (RFC 7591 section 2)
       * @default none
       * @enum {string}
       */
      readonly token_endpoint_auth_method?: 'none';
      /**
       * Contacts
       * @description Whom to contact about the client, such as email addresses. Users may see them. (RFC 7591 section 2)
       */
      readonly contacts?: readonly string[];
      /**
       * PKCE method
       * @description The code challenge method that authorization requests must use; none: PKCE is not required. (RFC 7636 section 4.3)
       * @default none
       * @enum {string}
       */
      readonly code_challenge_method?: 'none' | 'plain' | 'S256';
      /**
       * Preferred client ID
       * @description The client_id to register the client with, instead of a generated one. (RFC 6749 appendix A.1)
       */
      readonly preferred_client_id?: string;
      /**
       * Redirect URI validation
       * @description How a request's redirect URI is compared with the registered ones. (RFC 9700 section 2.1)
       * @default full_match
       * @enum {string}
       */
      readonly redirect_uri_validation_method?: 'full_match' | 'prefix_match' | 'none';
      /**
       * Cookie webhook
       * Format: uri
       * @description A back-channel URI that takes a JSON PUT and returns a JSON object of cookies to set. (this registry)
       */
      readonly cookie_webhook_uri?: string;
      /**
       * Cookie entry point
       * Format: uri
       * @description The public URI on the client's host that sets its cookie in cookie-based authorization. (this registry)
       */
      readonly cookie_entry_uri?: string;
      /**
       * Cookie domain
       * @description The domain of the client's cookie. (RFC 6265 section 4.1.2.3)
       */
      readonly cookie_domain?: string;
      /**
       * Authorize URI
       * Format: uri
       * @description The authorization endpoint for this client, if it differs from the server's own. (RFC 6749 section 3.1)
       */
      readonly authorize_uri?: string;
      /**
       * Sign-in page
       * Format: uri
       * @description The page where this client's users sign in. (this registry)
       */
      readonly login_uri?: string;
      /**
       * Anonymous users
       * @description Whether users who are not signed in are also authorized, with the credentials of anonymous_cid. (this registry)
       */
      readonly authorize_anonymous_users?: boolean;
      /**
       * Anonymous credentials
       * @description The id of the credentials that anonymous users have. (this registry)
       */
      readonly anonymous_cid?: string;
      /**
       * Session expiration
       * @description How long a session of this client lasts: a number of seconds, or a number and a unit, as in 12h. (this registry)
       */
      readonly session_expiration?: number | string;
      /**
       * Labels
       * @description Key-value pairs, such as the team that owns the client. Lists can be filtered by them, and tokens restricted to them. (this registry)
       */
      readonly labels?: {
        readonly [key: string]: string;
      };
      /**
       * Description
       * @description What the client is for: a note for administrators. (this registry)
       */
      readonly description?: string;
    };
    /**
     * @description Replaces everything that can be edited: a field that is left out gets its default.
     * @example {
     *       "client_name": "My web application",
     *       "client_uri": "https://app.example.com/",
     *       "redirect_uris": [
     *         "https://app.example.com/callback"
     *       ],
     *       "code_challenge_method": "S256"
     *     }
     */
    readonly ClientUpdate: {
      /**
       * Client ID
       * @description The public identifier of the client. Opaque and generated, or chosen at registration. (RFC 7591 section 3.2.1)
       */
      readonly client_id?: string;
      /**
       * Name
       * @description The application's name, shown to users on sign-in and consent pages. (RFC 7591 section 2)
       */
      readonly client_name: string;
      /**
       * Client secret
       * @description The password of a confidential client. Generated, and shown once. (RFC 7591 section 3.2.1)
       */
      readonly client_secret?: string;
      /**
       * Home page
       * Format: uri
       * @description A web page about the application, shown to users as a link. (RFC 7591 section 2)
       */
      readonly client_uri?: string;
      /**
       * Redirect URIs
       * @description Where the authorization server may redirect users, each with its full path. Empty only if no grant type redirects. (RFC 7591 section 2; RFC 6749 section 3.1.2)
       */
      readonly redirect_uris: readonly string[];
      /**
       * Application type
       * @description web: runs on a web server or in a browser; native: installed on a device. (OpenID Connect Dynamic Client Registration 1.0 section 2)
       * @default web
       * @enum {string}
       */
      readonly application_type?: 'web';
      /**
       * Response types
       * @description What the client may request from the authorization endpoint. Must agree with the grant types. (RFC 7591 section 2)
       * @default [
       *       "code"
       *     ]
       */
      readonly response_types?: readonly 'code'[];
      /**
       * Grant types
       * @description What the client may exchange for tokens at the token endpoint. Must agree with the response types. (RFC 7591 section 2)
       * @default [
       *       "authorization_code"
       *     ]
       */
      readonly grant_types?: readonly 'authorization_code'[];
      /**
       * Client authentication
       * @description How the client proves its identity at the token endpoint. none makes it a public client. (RFC 7591 section 2)
       * @default none
       * @enum {string}
       */
      readonly token_endpoint_auth_method?: 'none';
      /**
       * Contacts
       * @description Whom to contact about the client, such as email addresses. Users may see them. (RFC 7591 section 2)
       */
      readonly contacts?: readonly string[];
      /**
       * PKCE method
       * @description The code challenge method that authorization requests must use; none: PKCE is not required. (RFC 7636 section 4.3)
       * @default none
       * @enum {string}
       */
      readonly code_challenge_method?: 'none' | 'plain' | 'S256';
      /**
       * Redirect URI validation
       * @description How a request's redirect URI is compared with the registered ones. (RFC 9700 section 2.1)
       * @default full_match
       * @enum {string}
       */
      readonly redirect_uri_validation_method?: 'full_match' | 'prefix_match' | 'none';
      /**
       * Cookie name
       * @description The name of the cookie in cookie-based authorization. Derived from client_id, so it never changes. (RFC 6265 section 4.1.1)
       */
      readonly cookie_name?: string;
      /**
       * Cookie webhook
       * Format: uri
       * @description A back-channel URI that takes a JSON PUT and returns a JSON object of cookies to set. (this registry)
       */
      readonly cookie_webhook_uri?: string;
      /**
       * Cookie entry point
       * Format: uri
       * @description The public URI on the client's host that sets its cookie in cookie-based authorization. (this registry)
       */
      readonly cookie_entry_uri?: string;
      /**
       * Cookie domain
       * @description The domain of the client's cookie. (RFC 6265 section 4.1.2.3)
       */
      readonly cookie_domain?: string;
      /**
       * Authorize URI
       * Format: uri
       * @description The authorization endpoint for this client, if it differs from the server's own. (RFC 6749 section 3.1)
       */
      readonly authorize_uri?: string;
      /**
       * Sign-in page
       * Format: uri
       * @description The page where this client's users sign in. (this registry)
       */
      readonly login_uri?: string;
      /**
       * Anonymous users
       * @description Whether users who are not signed in are also authorized, with the credentials of anonymous_cid. (this registry)
       */
      readonly authorize_anonymous_users?: boolean;
      /**
       * Anonymous credentials
       * @description The id of the credentials that anonymous users have. (this registry)
       */
      readonly anonymous_cid?: string;
      /**
       * Session expiration
       * @description How long a session of this client lasts: a number of seconds, or a number and a unit, as in 12h. (this registry)
       */
      readonly session_expiration?: number | string;
      /**
       * Labels
       * @description Key-value pairs, such as the team that owns the client. Lists can be filtered by them, and tokens restricted to them. (this registry)
       */
      readonly labels?: {
        readonly [key: string]: string;
      };
      /**
       * Description
       * @description What the client is for: a note for administrators. (this registry)
       */
      readonly description?: string;
      /** @description When the client was registered, in seconds since 1970-01-01T00:00:00Z. (RFC 7591 section 3.2.1) */
      readonly client_id_issued_at?: number;
      /** @description When the client_secret expires, in seconds since 1970-01-01T00:00:00Z; 0 if it does not. (RFC 7591 section 3.2.1) */
      readonly client_secret_expires_at?: number;
      /** @description The last 4 characters of the client_secret; empty if it was imported as a hash. (this registry) */
      readonly client_secret_hint?: string;
      /** @description The client_secrets, newest first, without their values: hint (the last 4 characters), created_at, expires_at (absent: never), in RFC 3339; in lists and exports last_used_at too (known to the hour; absent: never). `imported`: it was imported; in lists and exports also imported_hash (the scheme of a hash of another product, until the secret passes a check) and imported_hash_ends_at. After a rotation with an overlap there are two; one whose expires_at has passed is no longer valid. (this registry) */
      readonly client_secrets?: readonly {
        readonly hint: string;
        /** Format: date-time */
        readonly created_at: string;
        /** Format: date-time */
        readonly expires_at?: string;
        /** Format: date-time */
        readonly last_used_at?: string;
        readonly imported?: boolean;
        readonly imported_hash?: string;
        /** Format: date-time */
        readonly imported_hash_ends_at?: string;
      }[];
      /** @description The temporary redirect_uris: from expires_at (RFC 3339) on, they fail every check; they are removed soon after. POST /client/{client_id}/redirect_uris adds them. Absent when there are none. (this registry) */
      readonly temporary_redirect_uris?: readonly {
        readonly redirect_uri: string;
        /** Format: date-time */
        readonly expires_at: string;
        readonly note?: string;
      }[];
      /** @description session_expiration in seconds. (this registry) */
      readonly session_expiration_seconds?: number;
      /** @description The token with which a developer manages the client. (RFC 7592 section 3) */
      readonly registration_access_token?: string;
      /** @description Where a developer manages the client. (RFC 7592 section 3) */
      readonly registration_client_uri?: string;
      /** @description False while the client is disabled: it fails every check. (this registry) */
      readonly enabled?: boolean;
      /** @description True: the client came through open registration, and is disabled until an administrator enables it. Absent otherwise. (this registry) */
      readonly pending?: boolean;
      /** @description What manages the client: users, developers (POST /register), import, or set:<name> for a set of declarations. Absent for clients from before it was recorded. (this registry) */
      readonly managed_by?: string;
      /** @description The token that registered the client: its id, and its name at the time. Absent for clients from before it was recorded. (this registry) */
      readonly registered_by?: {
        readonly id?: string;
        readonly name?: string;
      };
      /** @description When the client was registered (RFC 3339). (this registry) */
      readonly created_at?: string;
      /** @description When the client was last changed (RFC 3339). (this registry) */
      readonly updated_at?: string;
      /** @description Settings that are allowed but rarely wise: a field, a code and a message each. (this registry) */
      readonly warnings?: readonly {
        readonly field: string;
        readonly code: string;
        readonly message: string;
      }[];
    } & {
      readonly [key: string]: unknown;
    };
    /**
     * @example {
     *       "client_name": "My renamed web application"
     *     }
     */
    readonly ClientPatch: {
      /**
       * Name
       * @description The application's name, shown to users on sign-in and consent pages. (RFC 7591 section 2)
       */
      readonly client_name?: string;
      readonly client_uri?: string | null;
      /**
       * Redirect URIs
       * @description Where the authorization server may redirect users, each with its full path. Empty only if no grant type redirects. (RFC 7591 section 2; RFC 6749 section 3.1.2)
       */
      readonly redirect_uris?: readonly string[];
      readonly application_type?: 'web' | null;
      readonly response_types?: readonly 'code'[] | null;
      readonly grant_types?: readonly 'authorization_code'[] | null;
      readonly token_endpoint_auth_method?: 'none' | null;
      readonly contacts?: readonly string[] | null;
      readonly code_challenge_method?: ('none' | 'plain' | 'S256') | null;
      readonly redirect_uri_validation_method?: ('full_match' | 'prefix_match' | 'none') | null;
      readonly cookie_webhook_uri?: string | null;
      readonly cookie_entry_uri?: string | null;
      readonly cookie_domain?: string | null;
      readonly authorize_uri?: string | null;
      readonly login_uri?: string | null;
      readonly authorize_anonymous_users?: boolean | null;
      readonly anonymous_cid?: string | null;
      readonly session_expiration?: (number | string) | null;
      readonly labels?: {
        readonly [key: string]: string | null;
      } | null;
      readonly description?: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly checkLiveness: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The process is alive. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "alive"
           *     }
           */
          readonly 'application/json': components['schemas']['Liveness'];
        };
      };
      /** @description The request has no Host header, or more than one. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly checkReadiness: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description All checks passed, or only reads are served (`degraded`). */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ready",
           *       "checks": {
           *         "database": "up"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ReadinessReport'];
        };
      };
      /** @description The request has no Host header, or more than one. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description A check failed, or the service is shutting down. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ReadinessReport'];
        };
      };
    };
  };
  readonly readMetrics: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description All metrics of this process. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /** @example process_resident_memory_bytes 98123776 */
          readonly 'text/plain': string;
          /**
           * @example process_resident_memory_bytes 98123776
           *     # EOF
           */
          readonly 'application/openmetrics-text': string;
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listTokens: {
    readonly parameters: {
      readonly query?: {
        /** @description `living`: all usable tokens, on one page. `ended`: revoked and expired tokens. */
        readonly state?: 'living' | 'ended';
        /** @description Ended tokens per page. */
        readonly limit?: number;
        /** @description Lists ended tokens created before this one: `next` of the previous page. */
        readonly before?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The tokens, without their values. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": [
           *         {
           *           "selector": {
           *             "team": "shop"
           *           },
           *           "client_id": "shop-web",
           *           "networks": [
           *             "10.0.0.0/8"
           *           ],
           *           "id": "5f1d3a9c0b7e2468",
           *           "name": "deployment pipeline",
           *           "scopes": [
           *             "clients:read"
           *           ],
           *           "created_at": "2026-11-21T08:00:00.000Z",
           *           "created_by": "0a1b2c3d4e5f6071",
           *           "expires_at": "2027-02-19T08:00:00.000Z",
           *           "revoked_at": null,
           *           "last_used_at": null
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['TokenList'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No API token has the id given in `before`. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly createToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description For 24 h the same key and body create one token: repeated requests return it without its value, with Idempotency-Replayed. */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "selector": {
         *         "team": "shop"
         *       },
         *       "client_id": "shop-web",
         *       "networks": [
         *         "10.0.0.0/8"
         *       ],
         *       "name": "deployment pipeline",
         *       "scopes": [
         *         "clients:read"
         *       ],
         *       "expires_in": "90d"
         *     }
         */
        readonly 'application/json': components['schemas']['CreateTokenBody'];
      };
    };
    readonly responses: {
      /** @description The token and its value. */
      readonly 201: {
        headers: {
          /** @description Path of the created resource. */
          readonly Location?: string;
          /** @description Present when the Idempotency-Key was used before. */
          readonly 'Idempotency-Replayed'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "selector": {
           *         "team": "shop"
           *       },
           *       "client_id": "shop-web",
           *       "networks": [
           *         "10.0.0.0/8"
           *       ],
           *       "id": "5f1d3a9c0b7e2468",
           *       "name": "deployment pipeline",
           *       "scopes": [
           *         "clients:read"
           *       ],
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "created_by": "0a1b2c3d4e5f6071",
           *       "expires_at": "2027-02-19T08:00:00.000Z",
           *       "revoked_at": null,
           *       "last_used_at": null,
           *       "token": "svcr_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E"
           *     }
           */
          readonly 'application/json': components['schemas']['CreatedToken'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names, or the new token would have a scope that yours lacks, or reach more than yours; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There are too many tokens, the chain of tokens, each created with the previous one, is too long, or the Idempotency-Key was used for another request, or for a token that has ended since. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getOwnToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description What this request's token may do. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "selector": {
           *         "team": "shop"
           *       },
           *       "client_id": "shop-web",
           *       "networks": [
           *         "10.0.0.0/8"
           *       ],
           *       "id": "5f1d3a9c0b7e2468",
           *       "name": "deployment pipeline",
           *       "scopes": [
           *         "clients:read"
           *       ],
           *       "expires_at": "2027-02-19T08:00:00.000Z"
           *     }
           */
          readonly 'application/json': components['schemas']['OwnToken'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the token. */
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The token, without its value. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "selector": {
           *         "team": "shop"
           *       },
           *       "client_id": "shop-web",
           *       "networks": [
           *         "10.0.0.0/8"
           *       ],
           *       "id": "5f1d3a9c0b7e2468",
           *       "name": "deployment pipeline",
           *       "scopes": [
           *         "clients:read"
           *       ],
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "created_by": "0a1b2c3d4e5f6071",
           *       "expires_at": "2027-02-19T08:00:00.000Z",
           *       "revoked_at": null,
           *       "last_used_at": null,
           *       "descendants": [
           *         {
           *           "selector": {
           *             "team": "shop"
           *           },
           *           "client_id": "shop-web",
           *           "networks": [
           *             "10.0.0.0/8"
           *           ],
           *           "id": "5f1d3a9c0b7e2468",
           *           "name": "deployment pipeline",
           *           "scopes": [
           *             "clients:read"
           *           ],
           *           "created_at": "2026-11-21T08:00:00.000Z",
           *           "created_by": "0a1b2c3d4e5f6071",
           *           "expires_at": "2027-02-19T08:00:00.000Z",
           *           "revoked_at": null,
           *           "last_used_at": null
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['TokenWithDescendants'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No API token has this id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly revokeToken: {
    readonly parameters: {
      readonly query?: {
        /** @description `revoke`: also revokes the tokens created with it, those created with them, and so on. */
        readonly descendants?: 'keep' | 'revoke';
      };
      readonly header?: never;
      readonly path: {
        /** @description Id of the token. */
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The token has ended. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "revoked": [
           *         {
           *           "selector": {
           *             "team": "shop"
           *           },
           *           "client_id": "shop-web",
           *           "networks": [
           *             "10.0.0.0/8"
           *           ],
           *           "id": "5f1d3a9c0b7e2468",
           *           "name": "deployment pipeline",
           *           "scopes": [
           *             "clients:read"
           *           ],
           *           "created_at": "2026-11-21T08:00:00.000Z",
           *           "created_by": "0a1b2c3d4e5f6071",
           *           "expires_at": "2027-02-19T08:00:00.000Z",
           *           "revoked_at": null,
           *           "last_used_at": null
           *         }
           *       ],
           *       "descendants": [
           *         {
           *           "selector": {
           *             "team": "shop"
           *           },
           *           "client_id": "shop-web",
           *           "networks": [
           *             "10.0.0.0/8"
           *           ],
           *           "id": "5f1d3a9c0b7e2468",
           *           "name": "deployment pipeline",
           *           "scopes": [
           *             "clients:read"
           *           ],
           *           "created_at": "2026-11-21T08:00:00.000Z",
           *           "created_by": "0a1b2c3d4e5f6071",
           *           "expires_at": "2027-02-19T08:00:00.000Z",
           *           "revoked_at": null,
           *           "last_used_at": null
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['Revocation'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No API token has this id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getFeatures: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The supported metadata. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "fields": [
           *         {
           *           "name": "redirect_uris",
           *           "label": "Redirect URIs",
           *           "description": "Where the authorization server may send users back to.",
           *           "source": "RFC 7591 section 2",
           *           "group": "canonical",
           *           "type": "string[]",
           *           "required": true,
           *           "editable": "always",
           *           "public": true
           *         }
           *       ],
           *       "schemas": {
           *         "registration": {
           *           "type": "object"
           *         },
           *         "update": {
           *           "type": "object"
           *         }
           *       },
           *       "templates": [
           *         {
           *           "id": "web",
           *           "label": "Web application",
           *           "description": "A web application that signs users in, with PKCE.",
           *           "metadata": {
           *             "client_name": "My web application",
           *             "redirect_uris": [
           *               "https://app.example.com/callback"
           *             ]
           *           }
           *         }
           *       ],
           *       "limits": {
           *         "redirect_uris": 100,
           *         "uri_length": 2048,
           *         "session_expiration_seconds": {
           *           "minimum": 1,
           *           "maximum": 315360000
           *         },
           *         "http_redirect_hosts": [
           *           "app.internal"
           *         ]
           *       },
           *       "deviations": [
           *         {
           *           "subject": "token_endpoint_auth_method",
           *           "from": "RFC 7591 section 2",
           *           "description": "The default is none, not client_secret_basic."
           *         }
           *       ],
           *       "secret_import": {
           *         "hashes": [
           *           "bcrypt"
           *         ],
           *         "hash_max_age_seconds": 7776000
           *       },
           *       "usage": {
           *         "is_recorded": true,
           *         "retention_days": 400
           *       },
           *       "temporary_redirect_uris": {
           *         "per_client": 50,
           *         "life_seconds": {
           *           "minimum": 1,
           *           "maximum": 315360000
           *         }
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['Features'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listClients: {
    readonly parameters: {
      readonly query?: {
        /** @description At least one word; all must occur in the name, the client_id, or the host and path of a URI, ignoring case and accents. A word of 1 or 2 characters matches only the beginnings of words. Scheme and query of a URL are ignored. */
        readonly q?: string;
        /** @description Text that occurs in the host of a redirect URI, ignoring case. */
        readonly host?: string;
        readonly enabled?: boolean;
        /** @description The client came through open registration, and waits for an administrator to enable it. */
        readonly pending?: boolean;
        readonly has_warnings?: boolean;
        /** @description The code of a warning that the client has. */
        readonly warning?:
          | 'not_oauth_compliant'
          | 'prefix_without_slash'
          | 'plain_http_redirect_uri'
          | 'plain_http_logout_uri'
          | 'localhost_redirect_uri'
          | 'response_parameter_in_redirect_uri'
          | 'weak_pkce'
          | 'discouraged_grant'
          | 'cookie_entry_missing'
          | 'cookie_domain_mismatch'
          | 'cookie_domain_dot'
          | 'anonymous_cid_missing'
          | 'look_alike_name'
          | 'invisible_character';
        /** @description `key:value`, or a key alone for any value: the client has this label. Repeat it to require several. */
        readonly label?: readonly string[];
        /** @description The same, negated: the client does not have this label. */
        readonly 'label!'?: readonly string[];
        /** @description What manages the client: users, developers, import, or set:<name>. */
        readonly managed_by?: string;
        /** @description Registered at or after this time: RFC 3339, or a day in UTC. */
        readonly created_since?: string;
        /** @description Last changed at or after this time: RFC 3339, or a day in UTC. */
        readonly updated_since?: string;
        /** @description The client is not public, and has a valid secret that expires within this many days. */
        readonly secret_expires_within?: number;
        /** @description The client is not public, and has a valid secret that no successful check has used; false: all others. */
        readonly secret_never_used?: boolean;
        /** @description Registered before this time, and not used since: no request and no secret has been accepted. RFC 3339, or a day in UTC. */
        readonly last_used_before?: string;
        /** @description No request of the client was ever accepted, and no secret; false: all others. */
        readonly never_used?: boolean;
        /** @description A request or a secret was rejected at or after this time: RFC 3339, or a day in UTC. */
        readonly refused_since?: string;
        /** @description Application type. */
        readonly application_type?: 'web' | 'native';
        /** @description Response types: the client's list contains this value. */
        readonly response_types?:
          | 'code'
          | 'token'
          | 'id_token'
          | 'id_token token'
          | 'code id_token'
          | 'code token'
          | 'code id_token token';
        /** @description Grant types: the client's list contains this value. */
        readonly grant_types?:
          | 'authorization_code'
          | 'refresh_token'
          | 'client_credentials'
          | 'implicit'
          | 'password'
          | 'urn:ietf:params:oauth:grant-type:device_code'
          | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
          | 'urn:ietf:params:oauth:grant-type:saml2-bearer'
          | 'urn:ietf:params:oauth:grant-type:token-exchange';
        /** @description Client authentication. */
        readonly token_endpoint_auth_method?:
          'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
        /** @description PKCE method. */
        readonly code_challenge_method?: 'none' | 'plain' | 'S256';
        /** @description Redirect URI validation. */
        readonly redirect_uri_validation_method?: 'full_match' | 'prefix_match' | 'none';
        /** @description Anonymous users; false: false or not set. */
        readonly authorize_anonymous_users?: 'true' | 'false';
        /** @description A minus sign: descending. Names are sorted ignoring case. */
        readonly sort?:
          | 'client_name'
          | '-client_name'
          | 'client_id'
          | '-client_id'
          | 'created_at'
          | '-created_at'
          | 'updated_at'
          | '-updated_at';
        readonly limit?: number;
        /** @description `next` of the previous page, with the same sort and filters. */
        readonly cursor?: string;
        /** @description Also return the total. */
        readonly count?: boolean;
      };
      readonly header?: {
        /** @description The position of a change that the response must reflect, for registries that read from standbys. */
        readonly 'Min-Change-Seq'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of clients. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          /** @description Maximum age of the data, in seconds. Absent when it was read from the primary. */
          readonly 'Data-Age'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "clients": [
           *         {
           *           "client_id": "shop-web",
           *           "client_id_issued_at": 1795248000,
           *           "enabled": true,
           *           "client_secrets": [],
           *           "cookie_name": "auth-shop-web",
           *           "created_at": "2026-11-21T08:00:00.000Z",
           *           "updated_at": "2026-11-21T08:00:00.000Z",
           *           "warnings": [],
           *           "client_name": "My web application",
           *           "client_uri": "https://app.example.com/",
           *           "redirect_uris": [
           *             "https://app.example.com/callback"
           *           ],
           *           "application_type": "web",
           *           "response_types": [
           *             "code"
           *           ],
           *           "grant_types": [
           *             "authorization_code"
           *           ],
           *           "token_endpoint_auth_method": "none",
           *           "code_challenge_method": "S256",
           *           "redirect_uri_validation_method": "full_match"
           *         }
           *       ],
           *       "seq": "42-9f86d081884c",
           *       "total": 1,
           *       "total_is_exact": true
           *     }
           */
          readonly 'application/json': components['schemas']['ClientList'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly registerClient: {
    readonly parameters: {
      readonly query?: {
        /** @description How long the client_secret is valid: seconds, or a number and a unit (s, m, h, d, w, y), up to 10 years, or SECRET_MAX_LIFETIME if that is less. By default, as long as the registry allows. */
        readonly secret_expires_in?: string;
      };
      readonly header?: {
        /** @description For 24 h the same key and body register one client: repeated requests return it without its client_secret. */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_name": "My web application",
         *       "client_uri": "https://app.example.com/",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "code_challenge_method": "S256"
         *     }
         */
        readonly 'application/json': components['schemas']['ClientRegistration'];
      };
    };
    readonly responses: {
      /** @description The client and its client_secret. */
      readonly 201: {
        headers: {
          /** @description Path of the created resource. */
          readonly Location?: string;
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          /** @description Present when the Idempotency-Key was used before. */
          readonly 'Idempotency-Replayed'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match",
           *       "client_secret": "WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s"
           *     }
           */
          readonly 'application/json': components['schemas']['RegisteredClient'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The client_id is taken, or the Idempotency-Key was used for another request, or for a client that has been deleted since. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The position of a change that the response must reflect, for registries that read from standbys. */
        readonly 'Min-Change-Seq'?: string;
        /** @description An ETag; 304 when it is the current one. */
        readonly 'If-None-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          /** @description Maximum age of the data, in seconds. Absent when it was read from the primary. */
          readonly 'Data-Age'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The client has not changed. */
      readonly 304: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly replaceClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_name": "My web application",
         *       "client_uri": "https://app.example.com/",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "code_challenge_method": "S256"
         *     }
         */
        readonly 'application/json': components['schemas']['ClientUpdate'];
      };
    };
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description This registry requires If-Match. */
      readonly 428: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly deleteClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client is deleted. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description This registry requires If-Match. */
      readonly 428: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly patchClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_name": "My renamed web application"
         *     }
         */
        readonly 'application/merge-patch+json': components['schemas']['ClientPatch'];
        /**
         * @example {
         *       "client_name": "My renamed web application"
         *     }
         */
        readonly 'application/json': components['schemas']['ClientPatch'];
      };
    };
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description This registry requires If-Match. */
      readonly 428: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly enableClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly disableClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly resetClientSecret: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
        /** @description For 24 h the same key and body generate one secret: repeated requests return the client as it is, without the client_secret. */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "overlap": "24h",
         *       "expires_in": "90d"
         *     }
         */
        readonly 'application/json': components['schemas']['ResetSecretBody'];
      };
    };
    readonly responses: {
      /** @description The client and its new client_secret. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          /** @description Present when the Idempotency-Key was used before. */
          readonly 'Idempotency-Replayed'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match",
           *       "client_secret": "WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s"
           *     }
           */
          readonly 'application/json': components['schemas']['RegisteredClient'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The Idempotency-Key was used for another request, or the client was deleted since. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listClientSecrets: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The secrets. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_secrets": [
           *         {
           *           "hint": "bA1s",
           *           "created_at": "2026-11-21T08:00:00.000Z",
           *           "last_used_at": "2026-11-22T09:00:00.000Z",
           *           "imported": true,
           *           "imported_hash": "bcrypt",
           *           "imported_hash_ends_at": "2027-02-19T08:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['ClientSecrets'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly addRedirectUri: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "redirect_uri": "https://pr-41.preview.shop.example/cb",
         *       "expires_in": "7d",
         *       "note": "preview of pull request 41"
         *     }
         */
        readonly 'application/json': components['schemas']['AddRedirectUriBody'];
      };
    };
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description It is already permanent, or 50 others are temporary. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly removeRedirectUri: {
    readonly parameters: {
      readonly query: {
        readonly redirect_uri: string;
      };
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly changeClients: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description For 24 h the same key and body are carried out once: repeated requests return the first response, without secrets and lists of errors, with Idempotency-Replayed. Not with dry_run. */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "atomic": true,
         *       "dry_run": false,
         *       "operations": [
         *         {
         *           "op": "disable",
         *           "client_id": "shop-web",
         *           "if_match": "\"42-9f86d081884c\""
         *         }
         *       ]
         *     }
         */
        readonly 'application/json': components['schemas']['BulkRequestBody'];
      };
    };
    readonly responses: {
      /** @description The result of each operation. */
      readonly 200: {
        headers: {
          /** @description Present when the Idempotency-Key was used before. */
          readonly 'Idempotency-Replayed'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "atomic": true,
           *       "dry_run": false,
           *       "succeeded": 1,
           *       "failed": 0,
           *       "results": [
           *         {
           *           "index": 0,
           *           "op": "disable",
           *           "client_id": "shop-web",
           *           "status": 200,
           *           "changed": true,
           *           "etag": "\"43\""
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['BulkAnswer'];
        };
      };
      /** @description The request is invalid, or operations of an atomic one cannot be carried out. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description An atomic request: every operation that failed would get this response on its own. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description An atomic request: every operation that failed would get this response on its own. Or the Idempotency-Key was used for another request. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description An atomic request: every operation that failed would get this response on its own. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description More than 16 MiB. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description An atomic request: every operation that failed would get this response on its own. */
      readonly 428: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listJobs: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the previous page. */
        readonly cursor?: number;
        readonly limit?: number;
        /** @description Dry runs, too. */
        readonly dry_runs?: boolean;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The jobs, latest first. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "next": 41,
           *       "jobs": [
           *         {
           *           "id": 17,
           *           "action": "disable",
           *           "filter": {
           *             "label": [
           *               "team:shop"
           *             ],
           *             "enabled": true
           *           },
           *           "dry_run": false,
           *           "state": "finished",
           *           "problem": {
           *             "error": "invalid_token",
           *             "detail": "The token that started the job was revoked or has expired."
           *           },
           *           "total": 3,
           *           "changed": 2,
           *           "unchanged": 1,
           *           "failed": 0,
           *           "created_by": {
           *             "id": "5f1d3a9c0b7e2468",
           *             "name": "deployment pipeline"
           *           },
           *           "created_at": "2026-11-22T18:00:00.000Z",
           *           "finished_at": "2026-11-22T18:00:09.000Z"
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['JobList'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly startJob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "action": "disable",
         *       "filter": {
         *         "label": [
         *           "team:shop"
         *         ],
         *         "enabled": true
         *       },
         *       "patch": {
         *         "client_name": "My renamed web application"
         *       },
         *       "warning": "not_oauth_compliant",
         *       "dry_run": false
         *     }
         */
        readonly 'application/json': components['schemas']['NewJob'];
      };
    };
    readonly responses: {
      /** @description The job has started. */
      readonly 202: {
        headers: {
          /** @description Path of the created resource. */
          readonly Location?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 17,
           *       "action": "disable",
           *       "filter": {
           *         "label": [
           *           "team:shop"
           *         ],
           *         "enabled": true
           *       },
           *       "dry_run": false,
           *       "state": "finished",
           *       "problem": {
           *         "error": "invalid_token",
           *         "detail": "The token that started the job was revoked or has expired."
           *       },
           *       "total": 3,
           *       "changed": 2,
           *       "unchanged": 1,
           *       "failed": 0,
           *       "created_by": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline"
           *       },
           *       "created_at": "2026-11-22T18:00:00.000Z",
           *       "finished_at": "2026-11-22T18:00:09.000Z"
           *     }
           */
          readonly 'application/json': components['schemas']['Job'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token has too many open jobs; too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getJob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Number of the job. */
        readonly id: number;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The job. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 17,
           *       "action": "disable",
           *       "filter": {
           *         "label": [
           *           "team:shop"
           *         ],
           *         "enabled": true
           *       },
           *       "dry_run": false,
           *       "state": "finished",
           *       "problem": {
           *         "error": "invalid_token",
           *         "detail": "The token that started the job was revoked or has expired."
           *       },
           *       "total": 3,
           *       "changed": 2,
           *       "unchanged": 1,
           *       "failed": 0,
           *       "created_by": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline"
           *       },
           *       "created_at": "2026-11-22T18:00:00.000Z",
           *       "finished_at": "2026-11-22T18:00:09.000Z"
           *     }
           */
          readonly 'application/json': components['schemas']['Job'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There is no such job, or the token may not see it: one that reaches only some clients sees only the jobs that it started. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listJobResults: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the previous page. */
        readonly cursor?: number;
        readonly limit?: number;
        /** @description Only these results. */
        readonly result?: 'pending' | 'changed' | 'unchanged' | 'failed';
      };
      readonly header?: never;
      readonly path: {
        /** @description Number of the job. */
        readonly id: number;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of results, or one per line. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "next": 41,
           *       "results": [
           *         {
           *           "client_id": "shop-web",
           *           "client_name": "Shop",
           *           "result": "changed",
           *           "etag": "\"43-9f86d081884c\"",
           *           "problem": {
           *             "error": "invalid_token",
           *             "detail": "The token that started the job was revoked or has expired."
           *           },
           *           "changes": [
           *             {
           *               "field": "client_name",
           *               "before": "My web application",
           *               "after": "Shop"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['JobResultList'];
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_name": "Shop",
           *       "result": "changed",
           *       "etag": "\"43-9f86d081884c\"",
           *       "problem": {
           *         "error": "invalid_token",
           *         "detail": "The token that started the job was revoked or has expired."
           *       },
           *       "changes": [
           *         {
           *           "field": "client_name",
           *           "before": "My web application",
           *           "after": "Shop"
           *         }
           *       ]
           *     }
           */
          readonly 'application/x-ndjson': components['schemas']['JobResult'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There is no such job, or the token may not see it: one that reaches only some clients sees only the jobs that it started. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Accept allows neither JSON nor NDJSON. */
      readonly 406: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly cancelJob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Number of the job. */
        readonly id: number;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The job; unchanged if it had ended. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 17,
           *       "action": "disable",
           *       "filter": {
           *         "label": [
           *           "team:shop"
           *         ],
           *         "enabled": true
           *       },
           *       "dry_run": false,
           *       "state": "finished",
           *       "problem": {
           *         "error": "invalid_token",
           *         "detail": "The token that started the job was revoked or has expired."
           *       },
           *       "total": 3,
           *       "changed": 2,
           *       "unchanged": 1,
           *       "failed": 0,
           *       "created_by": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline"
           *       },
           *       "created_at": "2026-11-22T18:00:00.000Z",
           *       "finished_at": "2026-11-22T18:00:09.000Z"
           *     }
           */
          readonly 'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There is no such job, or the token may not see it: one that reaches only some clients sees only the jobs that it started. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly undoJob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Number of the job. */
        readonly id: number;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The job that undoes it has started. */
      readonly 202: {
        headers: {
          /** @description Path of the created resource. */
          readonly Location?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 17,
           *       "action": "disable",
           *       "filter": {
           *         "label": [
           *           "team:shop"
           *         ],
           *         "enabled": true
           *       },
           *       "dry_run": false,
           *       "state": "finished",
           *       "problem": {
           *         "error": "invalid_token",
           *         "detail": "The token that started the job was revoked or has expired."
           *       },
           *       "total": 3,
           *       "changed": 2,
           *       "unchanged": 1,
           *       "failed": 0,
           *       "created_by": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline"
           *       },
           *       "created_at": "2026-11-22T18:00:00.000Z",
           *       "finished_at": "2026-11-22T18:00:09.000Z"
           *     }
           */
          readonly 'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There is no such job, or the token may not see it: one that reaches only some clients sees only the jobs that it started. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The job has not ended, or has changed nothing. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token has too many open jobs; too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listDeletedClients: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the previous page. */
        readonly cursor?: number;
        readonly limit?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The deleted clients, latest deletion first. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "next": 41,
           *       "clients": [
           *         {
           *           "client_id": "shop-web",
           *           "deleted_at": "2026-11-21T08:00:00.000Z",
           *           "deleted_by": {
           *             "id": "5f1d3a9c0b7e2468",
           *             "name": "deployment pipeline"
           *           },
           *           "restorable_until": "2026-12-21T08:00:00.000Z",
           *           "client": {
           *             "client_id": "shop-web",
           *             "client_id_issued_at": 1795248000,
           *             "enabled": true,
           *             "client_secrets": [],
           *             "cookie_name": "auth-shop-web",
           *             "created_at": "2026-11-21T08:00:00.000Z",
           *             "updated_at": "2026-11-21T08:00:00.000Z",
           *             "warnings": [],
           *             "client_name": "My web application",
           *             "client_uri": "https://app.example.com/",
           *             "redirect_uris": [
           *               "https://app.example.com/callback"
           *             ],
           *             "application_type": "web",
           *             "response_types": [
           *               "code"
           *             ],
           *             "grant_types": [
           *               "authorization_code"
           *             ],
           *             "token_endpoint_auth_method": "none",
           *             "code_challenge_method": "S256",
           *             "redirect_uri_validation_method": "full_match"
           *           }
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['DeletedClientPage'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getDeletedClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The deleted client. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "deleted_at": "2026-11-21T08:00:00.000Z",
           *       "deleted_by": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline"
           *       },
           *       "restorable_until": "2026-12-21T08:00:00.000Z",
           *       "client": {
           *         "client_id": "shop-web",
           *         "client_id_issued_at": 1795248000,
           *         "enabled": true,
           *         "client_secrets": [],
           *         "cookie_name": "auth-shop-web",
           *         "created_at": "2026-11-21T08:00:00.000Z",
           *         "updated_at": "2026-11-21T08:00:00.000Z",
           *         "warnings": [],
           *         "client_name": "My web application",
           *         "client_uri": "https://app.example.com/",
           *         "redirect_uris": [
           *           "https://app.example.com/callback"
           *         ],
           *         "application_type": "web",
           *         "response_types": [
           *           "code"
           *         ],
           *         "grant_types": [
           *           "authorization_code"
           *         ],
           *         "token_endpoint_auth_method": "none",
           *         "code_challenge_method": "S256",
           *         "redirect_uri_validation_method": "full_match"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['DeletedClientDocument'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No deleted client with this client_id can be restored. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly purgeDeletedClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client is deleted permanently. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No deleted client with this client_id can be restored. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description This registry requires If-Match. */
      readonly 428: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly restoreClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An ETag in double quotes. 400 if malformed, 412 if it is not the current one. */
        readonly 'If-Match'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          /** @description The state of the client, for If-Match and If-None-Match. */
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/json': components['schemas']['Client'];
        };
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No deleted client with this client_id can be restored. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match names an earlier state. */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getClientHistory: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the previous page. */
        readonly cursor?: number;
        readonly limit?: number;
      };
      readonly header?: {
        /** @description The position of a change that the response must reflect, for registries that read from standbys. */
        readonly 'Min-Change-Seq'?: string;
      };
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The changes, latest first. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          /** @description Maximum age of the data, in seconds. Absent when it was read from the primary. */
          readonly 'Data-Age'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "next": 41,
           *       "changes": [
           *         {
           *           "seq": 42,
           *           "client_id": "shop-web",
           *           "kind": "registered",
           *           "at": "2026-11-21T08:00:00.000Z",
           *           "actor": {
           *             "id": "5f1d3a9c0b7e2468",
           *             "name": "deployment pipeline",
           *             "address": "192.0.2.7",
           *             "zone": {
           *               "site": "Depot"
           *             }
           *           },
           *           "changed": [
           *             {
           *               "field": "client_name",
           *               "before": "My web application",
           *               "after": "Shop"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['HistoryPage'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has or had this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getClientVersion: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
        /** @description Number of the change. */
        readonly seq: number;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The change and the version. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "seq": 42,
           *       "client_id": "shop-web",
           *       "kind": "registered",
           *       "at": "2026-11-21T08:00:00.000Z",
           *       "actor": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline",
           *         "address": "192.0.2.7"
           *       },
           *       "metadata": {
           *         "client_name": "My web application",
           *         "client_uri": "https://app.example.com/",
           *         "redirect_uris": [
           *           "https://app.example.com/callback"
           *         ],
           *         "code_challenge_method": "S256"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['HistoryVersion'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The client has no such change. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly exportClients: {
    readonly parameters: {
      readonly query?: {
        /** @description At least one word; all must occur in the name, the client_id, or the host and path of a URI, ignoring case and accents. A word of 1 or 2 characters matches only the beginnings of words. Scheme and query of a URL are ignored. */
        readonly q?: string;
        /** @description Text that occurs in the host of a redirect URI, ignoring case. */
        readonly host?: string;
        readonly enabled?: boolean;
        /** @description The client came through open registration, and waits for an administrator to enable it. */
        readonly pending?: boolean;
        readonly has_warnings?: boolean;
        /** @description The code of a warning that the client has. */
        readonly warning?:
          | 'not_oauth_compliant'
          | 'prefix_without_slash'
          | 'plain_http_redirect_uri'
          | 'plain_http_logout_uri'
          | 'localhost_redirect_uri'
          | 'response_parameter_in_redirect_uri'
          | 'weak_pkce'
          | 'discouraged_grant'
          | 'cookie_entry_missing'
          | 'cookie_domain_mismatch'
          | 'cookie_domain_dot'
          | 'anonymous_cid_missing'
          | 'look_alike_name'
          | 'invisible_character';
        /** @description `key:value`, or a key alone for any value: the client has this label. Repeat it to require several. */
        readonly label?: readonly string[];
        /** @description The same, negated: the client does not have this label. */
        readonly 'label!'?: readonly string[];
        /** @description What manages the client: users, developers, import, or set:<name>. */
        readonly managed_by?: string;
        /** @description Registered at or after this time: RFC 3339, or a day in UTC. */
        readonly created_since?: string;
        /** @description Last changed at or after this time: RFC 3339, or a day in UTC. */
        readonly updated_since?: string;
        /** @description The client is not public, and has a valid secret that expires within this many days. */
        readonly secret_expires_within?: number;
        /** @description The client is not public, and has a valid secret that no successful check has used; false: all others. */
        readonly secret_never_used?: boolean;
        /** @description Registered before this time, and not used since: no request and no secret has been accepted. RFC 3339, or a day in UTC. */
        readonly last_used_before?: string;
        /** @description No request of the client was ever accepted, and no secret; false: all others. */
        readonly never_used?: boolean;
        /** @description A request or a secret was rejected at or after this time: RFC 3339, or a day in UTC. */
        readonly refused_since?: string;
        /** @description Application type. */
        readonly application_type?: 'web' | 'native';
        /** @description Response types: the client's list contains this value. */
        readonly response_types?:
          | 'code'
          | 'token'
          | 'id_token'
          | 'id_token token'
          | 'code id_token'
          | 'code token'
          | 'code id_token token';
        /** @description Grant types: the client's list contains this value. */
        readonly grant_types?:
          | 'authorization_code'
          | 'refresh_token'
          | 'client_credentials'
          | 'implicit'
          | 'password'
          | 'urn:ietf:params:oauth:grant-type:device_code'
          | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
          | 'urn:ietf:params:oauth:grant-type:saml2-bearer'
          | 'urn:ietf:params:oauth:grant-type:token-exchange';
        /** @description Client authentication. */
        readonly token_endpoint_auth_method?:
          'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
        /** @description PKCE method. */
        readonly code_challenge_method?: 'none' | 'plain' | 'S256';
        /** @description Redirect URI validation. */
        readonly redirect_uri_validation_method?: 'full_match' | 'prefix_match' | 'none';
        /** @description Anonymous users; false: false or not set. */
        readonly authorize_anonymous_users?: 'true' | 'false';
        /** @description Export the clients with these ids, if they exist. Repeat it for each; cannot be combined with other parameters. */
        readonly client_id?: readonly string[];
      };
      readonly header?: {
        /** @description The position of a change that the response must reflect, for registries that read from standbys. */
        readonly 'Min-Change-Seq'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description One client per line. */
      readonly 200: {
        headers: {
          /** @description The export reflects every change up to this one, and perhaps later ones: `since` of GET /clients/changes. */
          readonly 'Change-Seq'?: string;
          /** @description Maximum age of the data, in seconds. Absent when it was read from the primary. */
          readonly 'Data-Age'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "enabled": true,
           *       "client_secrets": [],
           *       "cookie_name": "auth-shop-web",
           *       "created_at": "2026-11-21T08:00:00.000Z",
           *       "updated_at": "2026-11-21T08:00:00.000Z",
           *       "warnings": [],
           *       "client_name": "My web application",
           *       "client_uri": "https://app.example.com/",
           *       "redirect_uris": [
           *         "https://app.example.com/callback"
           *       ],
           *       "application_type": "web",
           *       "response_types": [
           *         "code"
           *       ],
           *       "grant_types": [
           *         "authorization_code"
           *       ],
           *       "token_endpoint_auth_method": "none",
           *       "code_challenge_method": "S256",
           *       "redirect_uri_validation_method": "full_match"
           *     }
           */
          readonly 'application/x-ndjson': components['schemas']['Client'];
          /**
           * @example client_id,client_name
           *     shop-web,Shop
           */
          readonly 'text/csv': string;
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Accept allows neither NDJSON nor CSV. */
      readonly 406: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly importClients: {
    readonly parameters: {
      readonly query?: {
        /** @description Only report what would be done. */
        readonly dry_run?: boolean;
        /** @description Delete the clients of the set that the body does not list, after everything else has succeeded. Requires `set`. */
        readonly prune?: boolean;
        /** @description The set of declarations that the body contains: it manages the clients that it registers. 1 to 63 letters, digits, - _ and . that begin and end with a letter or digit. */
        readonly set?: string;
        /** @description Take over listed clients that something else manages: with `set`, clients outside the set; without `set`, clients in any set. If false, they are conflicts. */
        readonly take_over?: boolean;
        /** @description How many clients must be deleted, such as the `deleted` of a dry run: if more or fewer would be, nothing is changed. */
        readonly expected_deleted?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** @description One client per line; up to 100 MiB. */
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_name": "My web application",
         *       "client_uri": "https://app.example.com/",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "code_challenge_method": "S256"
         *     }
         */
        readonly 'application/x-ndjson': components['schemas']['ClientUpdate'];
      };
    };
    readonly responses: {
      /** @description What was imported. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "dry_run": false,
           *       "prune": false,
           *       "set": "shop",
           *       "registered": 1,
           *       "updated": 0,
           *       "enabled": 0,
           *       "disabled": 0,
           *       "taken_over": 0,
           *       "deleted": 0,
           *       "unchanged": 0,
           *       "clients": [
           *         {
           *           "client_id": "shop-web",
           *           "line": 1,
           *           "changes": [
           *             "registered"
           *           ],
           *           "taken_over": true,
           *           "client_secret_imported": true
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['ImportAnswer'];
        };
      };
      /** @description Some lines cannot be imported; errors lists each violation with its line. Nothing was changed. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names, or clients:import_secrets, and a line has a secret; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description More or fewer clients would be deleted than `expected_deleted`. Nothing was changed. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description More than 100 MiB, or more than 250,000 clients. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not NDJSON. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Another import is running, concurrent changes interfered, the database does not respond, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly readClientStats: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The statistics. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "as_of": "2026-11-21T08:00:00.000Z",
           *       "clients": 2,
           *       "enabled": 1,
           *       "disabled": 1,
           *       "pending": 0,
           *       "with_warnings": 1,
           *       "warnings": [
           *         {
           *           "code": "weak_pkce",
           *           "clients": 1
           *         }
           *       ],
           *       "labels": [
           *         {
           *           "label": "team:shop",
           *           "clients": 1
           *         }
           *       ],
           *       "managers": [
           *         {
           *           "managed_by": "users",
           *           "clients": 1
           *         }
           *       ],
           *       "age": [
           *         {
           *           "within_days": 7,
           *           "count": 1
           *         }
           *       ],
           *       "secrets": {
           *         "count": 1,
           *         "last_use": [
           *           {
           *             "within_days": 7,
           *             "count": 1
           *           }
           *         ],
           *         "never_used": 1,
           *         "imported_hashes": 0,
           *         "expiring": [
           *           {
           *             "within_days": 30,
           *             "count": 1
           *           }
           *         ]
           *       },
           *       "usage": {
           *         "last_use": [
           *           {
           *             "within_days": 7,
           *             "count": 1
           *           }
           *         ],
           *         "never_used": 1,
           *         "refused": 1
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ClientStats'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getClientUsage: {
    readonly parameters: {
      readonly query?: {
        /** @description How many days (UTC) to add up, including the current one. Old days are kept by month, and months count as a whole. */
        readonly days?: number;
      };
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The counts. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "is_recorded": true,
           *       "from": "2026-10-26",
           *       "incomplete_days": [
           *         "2026-11-24"
           *       ],
           *       "redirect_uris": [
           *         {
           *           "redirect_uri": "https://shop.example/cb",
           *           "is_registered": true,
           *           "matches": {
           *             "exact": 12
           *           }
           *         }
           *       ],
           *       "origins": [
           *         {
           *           "count": 41,
           *           "first_at": "2026-11-24T09:12:00.000Z",
           *           "last_at": "2026-11-24T09:12:00.000Z",
           *           "origin": "https://shop.example"
           *         }
           *       ],
           *       "refusals": [
           *         {
           *           "count": 41,
           *           "first_at": "2026-11-24T09:12:00.000Z",
           *           "last_at": "2026-11-24T09:12:00.000Z",
           *           "rule": "no_match",
           *           "origin": "https://shop.example",
           *           "redirect_uri": "https://shop.example/cb",
           *           "difference": "a slash at the end"
           *         }
           *       ],
           *       "pkce": [
           *         {
           *           "count": 41,
           *           "first_at": "2026-11-24T09:12:00.000Z",
           *           "last_at": "2026-11-24T09:12:00.000Z",
           *           "value": "S256"
           *         }
           *       ],
           *       "response_types": [
           *         {
           *           "count": 41,
           *           "first_at": "2026-11-24T09:12:00.000Z",
           *           "last_at": "2026-11-24T09:12:00.000Z",
           *           "value": "S256"
           *         }
           *       ],
           *       "secrets": [
           *         {
           *           "hint": "bA1s",
           *           "created_at": "2026-11-24T09:12:00.000Z",
           *           "count": 12
           *         }
           *       ],
           *       "periods": [
           *         {
           *           "period": "2026-11-24",
           *           "accepted": 512,
           *           "refused": 41
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['ClientUsageReport'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly reportClientUsage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "batch_id": "0c7a2e4e-8f0f-4a39-9d3e-3a2f6b1f9c55",
         *       "reporter": "b1d1e1c2-6f5b-4f0e-8f5c-7f9a0e2d4c11",
         *       "from": "2026-11-24T08:00:00.000Z",
         *       "to": "2026-11-24T08:00:00.000Z",
         *       "is_final": true,
         *       "is_incomplete": true,
         *       "rows": [
         *         {
         *           "client_id": "shop-web",
         *           "client_created_at": "2026-11-20T09:30:00.125Z",
         *           "use": {
         *             "kind": "request",
         *             "refusal": "no_match",
         *             "redirect_uri": "https://shop.example/cb",
         *             "match": "exact",
         *             "origin": "https://shop.example",
         *             "difference": "a slash at the end",
         *             "is_clean": true,
         *             "pkce": "S256",
         *             "response_type": "code",
         *             "others": true
         *           },
         *           "count": 12,
         *           "first_at": "2026-11-24T08:00:00.000Z",
         *           "last_at": "2026-11-24T08:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        readonly 'application/json': components['schemas']['UsageReport'];
      };
    };
    readonly responses: {
      /** @description The batch is counted. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "recorded": true
           *     }
           */
          readonly 'application/json': components['schemas']['UsageReceipt'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description More than 100 processes report with this token. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listRecommendations: {
    readonly parameters: {
      readonly query?: {
        /** @description At least one word; all must occur in the name, the client_id, or the host and path of a URI, ignoring case and accents. A word of 1 or 2 characters matches only the beginnings of words. Scheme and query of a URL are ignored. */
        readonly q?: string;
        /** @description Text that occurs in the host of a redirect URI, ignoring case. */
        readonly host?: string;
        readonly enabled?: boolean;
        /** @description The client came through open registration, and waits for an administrator to enable it. */
        readonly pending?: boolean;
        readonly has_warnings?: boolean;
        /** @description The code of a warning that the client has. */
        readonly warning?:
          | 'not_oauth_compliant'
          | 'prefix_without_slash'
          | 'plain_http_redirect_uri'
          | 'plain_http_logout_uri'
          | 'localhost_redirect_uri'
          | 'response_parameter_in_redirect_uri'
          | 'weak_pkce'
          | 'discouraged_grant'
          | 'cookie_entry_missing'
          | 'cookie_domain_mismatch'
          | 'cookie_domain_dot'
          | 'anonymous_cid_missing'
          | 'look_alike_name'
          | 'invisible_character';
        /** @description `key:value`, or a key alone for any value: the client has this label. Repeat it to require several. */
        readonly label?: readonly string[];
        /** @description The same, negated: the client does not have this label. */
        readonly 'label!'?: readonly string[];
        /** @description What manages the client: users, developers, import, or set:<name>. */
        readonly managed_by?: string;
        /** @description Registered at or after this time: RFC 3339, or a day in UTC. */
        readonly created_since?: string;
        /** @description Last changed at or after this time: RFC 3339, or a day in UTC. */
        readonly updated_since?: string;
        /** @description The client is not public, and has a valid secret that expires within this many days. */
        readonly secret_expires_within?: number;
        /** @description The client is not public, and has a valid secret that no successful check has used; false: all others. */
        readonly secret_never_used?: boolean;
        /** @description Registered before this time, and not used since: no request and no secret has been accepted. RFC 3339, or a day in UTC. */
        readonly last_used_before?: string;
        /** @description No request of the client was ever accepted, and no secret; false: all others. */
        readonly never_used?: boolean;
        /** @description A request or a secret was rejected at or after this time: RFC 3339, or a day in UTC. */
        readonly refused_since?: string;
        /** @description Application type. */
        readonly application_type?: 'web' | 'native';
        /** @description Response types: the client's list contains this value. */
        readonly response_types?:
          | 'code'
          | 'token'
          | 'id_token'
          | 'id_token token'
          | 'code id_token'
          | 'code token'
          | 'code id_token token';
        /** @description Grant types: the client's list contains this value. */
        readonly grant_types?:
          | 'authorization_code'
          | 'refresh_token'
          | 'client_credentials'
          | 'implicit'
          | 'password'
          | 'urn:ietf:params:oauth:grant-type:device_code'
          | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
          | 'urn:ietf:params:oauth:grant-type:saml2-bearer'
          | 'urn:ietf:params:oauth:grant-type:token-exchange';
        /** @description Client authentication. */
        readonly token_endpoint_auth_method?:
          'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
        /** @description PKCE method. */
        readonly code_challenge_method?: 'none' | 'plain' | 'S256';
        /** @description Redirect URI validation. */
        readonly redirect_uri_validation_method?: 'full_match' | 'prefix_match' | 'none';
        /** @description Anonymous users; false: false or not set. */
        readonly authorize_anonymous_users?: 'true' | 'false';
        /** @description Only recommendations of this kind. Repeat it for several kinds. */
        readonly kind?: readonly (
          | 'disable'
          | 'remove_redirect_uris'
          | 'require_s256'
          | 'retire_secrets'
          | 'use_full_match'
          | 'use_prefix_match'
        )[];
        /** @description How many days (UTC) before the current one the recommendations are based on. */
        readonly days?: number;
        /** @description Clients with recommendations per page. A request examines at most 1,000 clients, so a page may have fewer. */
        readonly limit?: number;
        /** @description `next` of the previous page, with the same filters. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of recommendations, or one per line. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "recommendations": [
           *         {
           *           "client_id": "shop-web",
           *           "client_name": "Shop",
           *           "kind": "use_full_match",
           *           "reason": "all 812 requests have used a registered URI exactly since 2026-10-25",
           *           "etag": "\"42-9f86d081884c\"",
           *           "request": {
           *             "method": "PATCH",
           *             "path": "/client/shop-web",
           *             "body": {
           *               "redirect_uri_validation_method": "full_match"
           *             },
           *             "replaces": {
           *               "redirect_uri_validation_method": "prefix_match"
           *             }
           *           },
           *           "evidence": {
           *             "from": "2026-10-25",
           *             "to": "2026-11-23",
           *             "requests": 812,
           *             "secret_checks": 0,
           *             "refused": 3,
           *             "seen": [
           *               {
           *                 "value": "https://shop.example/cb",
           *                 "count": 812,
           *                 "last_at": "2026-11-24T09:12:00.000Z"
           *               }
           *             ],
           *             "unused": [
           *               "https://old.shop.example/cb"
           *             ]
           *           },
           *           "replay": {
           *             "requests": 812,
           *             "refused": 0
           *           }
           *         }
           *       ],
           *       "examined": 50,
           *       "unproven": 0,
           *       "incomplete_days": []
           *     }
           */
          readonly 'application/json': components['schemas']['RecommendationList'];
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_name": "Shop",
           *       "kind": "use_full_match",
           *       "reason": "all 812 requests have used a registered URI exactly since 2026-10-25",
           *       "etag": "\"42-9f86d081884c\"",
           *       "request": {
           *         "method": "PATCH",
           *         "path": "/client/shop-web",
           *         "body": {
           *           "redirect_uri_validation_method": "full_match"
           *         },
           *         "replaces": {
           *           "redirect_uri_validation_method": "prefix_match"
           *         }
           *       },
           *       "evidence": {
           *         "from": "2026-10-25",
           *         "to": "2026-11-23",
           *         "requests": 812,
           *         "secret_checks": 0,
           *         "refused": 3,
           *         "seen": [
           *           {
           *             "value": "https://shop.example/cb",
           *             "count": 812,
           *             "last_at": "2026-11-24T09:12:00.000Z"
           *           }
           *         ],
           *         "unused": [
           *           "https://old.shop.example/cb"
           *         ]
           *       },
           *       "replay": {
           *         "requests": 812,
           *         "refused": 0
           *       }
           *     }
           */
          readonly 'application/x-ndjson': components['schemas']['RecommendationDocument'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Accept allows neither JSON nor NDJSON. */
      readonly 406: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly checkAuthorizationRequest: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "response_type": "code",
         *       "redirect_uri": "https://shop.example/cb",
         *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
         *       "code_challenge_method": "S256"
         *     }
         */
        readonly 'application/json': {
          readonly [key: string]: string | readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description Whether the client may make this request. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "valid": true,
           *       "errors": [],
           *       "redirect_uri": "https://shop.example/cb",
           *       "redirect_uri_match": {
           *         "matches": true,
           *         "registered": "https://shop.example/cb",
           *         "rule": "exact",
           *         "message": "is registered"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['AuthorizationRequestCheck'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly checkSecret: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_secret": "WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s"
         *     }
         */
        readonly 'application/json': components['schemas']['CheckSecretBody'];
      };
    };
    readonly responses: {
      /** @description Whether the secret is valid. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "valid": true,
           *       "client_secret_expires_at": 0
           *     }
           */
          readonly 'application/json': components['schemas']['SecretCheck'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database does not respond, the service is overloaded, or too many checks of imported hashes are in progress; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly checkClientAssertion: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_assertion": "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJzaG9wIn0.c2lnbmF0dXJl",
         *       "audience": [
         *         "https://login.example.com"
         *       ]
         *     }
         */
        readonly 'application/json': components['schemas']['CheckClientAssertionBody'];
      };
    };
    readonly responses: {
      /** @description Whether the assertion is valid. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "valid": true,
           *       "rule": "malformed",
           *       "message": "the assertion has expired"
           *     }
           */
          readonly 'application/json': components['schemas']['ClientAssertionCheck'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly checkCookieWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "user": {
         *         "email": "sample@example.com"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['CheckCookieWebhookBody'];
      };
    };
    readonly responses: {
      /** @description The result of the call. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ok": true,
           *       "status": 200,
           *       "duration_ms": 42,
           *       "cookies": {
           *         "session": "b0f1c2"
           *       },
           *       "problems": []
           *     }
           */
          readonly 'application/json': components['schemas']['ProbeReport'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The client has no cookie webhook, or is disabled. */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly explainAuthorizationRequest: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "url": "https://login.example/authorize?response_type=code&client_id=shop-web&redirect_uri=https%3A%2F%2Fshop.example%2Fcb%2F"
         *     }
         */
        readonly 'application/json': components['schemas']['ExplainBody'];
      };
    };
    readonly responses: {
      /** @description The result of the check, and its reasons. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "client_id": "shop-web",
           *       "client_name": "Shop",
           *       "valid": false,
           *       "errors": [
           *         {
           *           "error": "invalid_request",
           *           "rule": "response_type_not_registered",
           *           "error_description": "the client is not registered for this response_type",
           *           "must_not_redirect": true
           *         }
           *       ],
           *       "notes": [],
           *       "redirect_uri": "https://shop.example/cb/",
           *       "redirect_uri_match": {
           *         "matches": true,
           *         "registered": "https://shop.example/cb",
           *         "rule": "exact",
           *         "message": "is registered"
           *       },
           *       "nearest": {
           *         "redirect_uri": "https://shop.example/cb",
           *         "difference": "a slash at the end",
           *         "common_start": 23,
           *         "common_end": 0
           *       },
           *       "last_worked_at": "2026-11-24T09:11:40.000Z",
           *       "recorded_since": "2026-10-01T08:00:00.000Z",
           *       "history": "changed",
           *       "broken_by": {
           *         "seq": 42,
           *         "client_id": "shop-web",
           *         "kind": "registered",
           *         "at": "2026-11-21T08:00:00.000Z",
           *         "actor": {
           *           "id": "5f1d3a9c0b7e2468",
           *           "name": "deployment pipeline",
           *           "address": "192.0.2.7"
           *         },
           *         "changed": [
           *           {
           *             "field": "client_name",
           *             "before": "My web application",
           *             "after": "Shop"
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['Explanation'];
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client that the token reaches has or had this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listChanges: {
    readonly parameters: {
      readonly query?: {
        /** @description The last change seen, from `cursor`, `next`, `last_seq`, an event id or `Change-Seq`: later changes follow. 0: from the first change on. Without it, a page begins with the oldest change that is kept, and a stream with the next one. */
        readonly since?: string;
        /** @description Return only this many of the newest changes. Not together with `since`, and not for a stream. */
        readonly newest?: number;
        /** @description Changes per page; a stream has no end. */
        readonly limit?: number;
      };
      readonly header?: {
        /** @description For a stream: the last change seen. Takes precedence over `since`. */
        readonly 'Last-Event-ID'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The changes, oldest first. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "changes": [
           *         {
           *           "seq": 42,
           *           "client_id": "shop-web",
           *           "kind": "registered",
           *           "at": "2026-11-21T08:00:00.000Z",
           *           "actor": {
           *             "id": "5f1d3a9c0b7e2468",
           *             "name": "deployment pipeline",
           *             "address": "192.0.2.7"
           *           },
           *           "client": {
           *             "client_id": "shop-web",
           *             "client_id_issued_at": 1795248000,
           *             "enabled": true,
           *             "client_secrets": [],
           *             "cookie_name": "auth-shop-web",
           *             "created_at": "2026-11-21T08:00:00.000Z",
           *             "updated_at": "2026-11-21T08:00:00.000Z",
           *             "warnings": [],
           *             "client_name": "My web application",
           *             "client_uri": "https://app.example.com/",
           *             "redirect_uris": [
           *               "https://app.example.com/callback"
           *             ],
           *             "application_type": "web",
           *             "response_types": [
           *               "code"
           *             ],
           *             "grant_types": [
           *               "authorization_code"
           *             ],
           *             "token_endpoint_auth_method": "none",
           *             "code_challenge_method": "S256",
           *             "redirect_uri_validation_method": "full_match"
           *           },
           *           "cursor": "42-9f86d081884c"
           *         }
           *       ],
           *       "next": "42-9f86d081884c",
           *       "last_seq": "42-9f86d081884c"
           *     }
           */
          readonly 'application/json': components['schemas']['ChangeList'];
          /**
           * @example id: 42-9f86d081884c
           *     data: {"seq":42,"client_id":"shop-web"}
           */
          readonly 'text/event-stream': string;
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Some of these changes are no longer kept, or `since` was undone by a restore or failover. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, the service is overloaded, or the server's limit of open streams is reached; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listSecurityEvents: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the previous page. */
        readonly cursor?: number;
        /** @description Repeat it for several kinds. */
        readonly kind?: readonly (
          | 'token_created'
          | 'token_first_used'
          | 'token_revoked'
          | 'token_expired'
          | 'token_refused'
          | 'signed_in'
          | 'credential_refused'
          | 'settings_changed'
          | 'client_registered'
          | 'client_approved'
          | 'pending_client_deleted'
          | 'registration_refused'
          | 'registration_token_created'
          | 'registration_token_renewed'
          | 'registration_token_revoked'
          | 'registration_token_expired'
          | 'unused_client_disabled'
          | 'unused_client_deleted'
          | 'deleted_client_purged'
          | 'secret_rotated'
          | 'clients_exported'
          | 'clients_imported'
          | 'record_broken'
          | 'record_unverified'
        )[];
        /** @description Id of who did it. */
        readonly actor?: string;
        /** @description Id of what it was done to: a token or a client. */
        readonly subject?: string;
        /** @description At or after this time: RFC 3339, or a day in UTC. */
        readonly since?: string;
        /** @description Before this time: RFC 3339, or a day in UTC. */
        readonly until?: string;
        /** @description Events per page; an export and a stream have no pages. */
        readonly limit?: number;
      };
      readonly header?: {
        /** @description For a stream: the `id` of the last event seen. Without it, the stream begins with the next event. */
        readonly 'Last-Event-ID'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The events. */
      readonly 200: {
        headers: {
          /** @description The next page (RFC 8288); absent on the last one. */
          readonly Link?: string;
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "next": 41,
           *       "events": [
           *         {
           *           "seq": 42,
           *           "at": "2026-11-21T08:00:00.000Z",
           *           "kind": "token_revoked",
           *           "actor": {
           *             "id": "5f1d3a9c0b7e2468",
           *             "name": "deployment pipeline",
           *             "source": "token",
           *             "address": "192.0.2.7"
           *           },
           *           "subject": "5f1d3a9c0b7e2468",
           *           "details": {
           *             "name": "deployment pipeline"
           *           },
           *           "mac": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['SecurityEventList'];
          /**
           * @example {
           *       "seq": 42,
           *       "at": "2026-11-21T08:00:00.000Z",
           *       "kind": "token_revoked",
           *       "actor": {
           *         "id": "5f1d3a9c0b7e2468",
           *         "name": "deployment pipeline",
           *         "source": "token",
           *         "address": "192.0.2.7"
           *       },
           *       "subject": "5f1d3a9c0b7e2468",
           *       "details": {
           *         "name": "deployment pipeline"
           *       },
           *       "mac": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *     }
           */
          readonly 'application/x-ndjson': components['schemas']['SecurityEvent'];
          /**
           * @example id: 42-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
           *     data: {"seq":42,"kind":"token_revoked"}
           */
          readonly 'text/event-stream': string;
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names, or reaches only some clients; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There is no event `Last-Event-ID`: a restore or failover has undone it. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, the service is overloaded, or the server's limit of exports or streams is reached; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly listCookieEntrypoints: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The hostnames, sorted by name. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "hosts": [
           *         {
           *           "hostname": "shop.example.com",
           *           "entrypoints": [
           *             "https://shop.example.com/auth/cookie"
           *           ],
           *           "client_count": 1,
           *           "clients": [
           *             "shop-web"
           *           ]
           *         }
           *       ],
           *       "lacking": []
           *     }
           */
          readonly 'application/json': components['schemas']['CookieEntrypoints'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly registerOwnClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_name": "My web application",
         *       "client_uri": "https://app.example.com/",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "code_challenge_method": "S256"
         *     }
         */
        readonly 'application/json': components['schemas']['ClientUpdate'];
      };
    };
    readonly responses: {
      /** @description The client, and how to manage it. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "registration_client_uri": "https://registry.example.com/register/shop-web",
           *       "registration_access_token": "svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E",
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "pending": true
           *     }
           */
          readonly 'application/json': components['schemas']['ClientInformation'] & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description The metadata is invalid (RFC 7591 section 3.2.2). */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope, or has registered as many clients as it may. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly getOwnClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "registration_client_uri": "https://registry.example.com/register/shop-web",
           *       "registration_access_token": "svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E",
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "pending": true
           *     }
           */
          readonly 'application/json': components['schemas']['ClientInformation'] & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The client is disabled, and does not await approval. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly replaceOwnClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_name": "My web application",
         *       "client_uri": "https://app.example.com/",
         *       "redirect_uris": [
         *         "https://app.example.com/callback"
         *       ],
         *       "code_challenge_method": "S256",
         *       "client_id": "shop-web"
         *     }
         */
        readonly 'application/json': {
          /**
           * @description The client_id of the path.
           * @example shop-web
           */
          readonly client_id: string;
        } & WithRequired<components['schemas']['ClientUpdate'], 'client_id'>;
      };
    };
    readonly responses: {
      /** @description The client as it is now. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "registration_client_uri": "https://registry.example.com/register/shop-web",
           *       "registration_access_token": "svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E",
           *       "client_id": "shop-web",
           *       "client_id_issued_at": 1795248000,
           *       "pending": true
           *     }
           */
          readonly 'application/json': components['schemas']['ClientInformation'] & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description The body or a parameter is invalid; errors says where and why. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The client is disabled, and does not await approval. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The body arrived too slowly. */
      readonly 408: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The body is too large. */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The media type is not supported, the charset is not UTF-8, or the body is compressed. */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly deleteOwnClient: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client, its secret and its token no longer exist. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The client is disabled, and does not await approval. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly resetRegistrationToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The token. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "registration_access_token": "svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E"
           *     }
           */
          readonly 'application/json': components['schemas']['NewRegistrationToken'];
        };
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readonly revokeRegistrationToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the client. */
        readonly client_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The client has no registration access token. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request has an Idempotency-Key, which would have no effect. */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token is missing or invalid. */
      readonly 401: {
        headers: {
          /** @description Bearer, with the error where a token was sent (RFC 6750 section 3). */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The token lacks the scope that WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out. */
      readonly 403: {
        headers: {
          /** @description Names the scope that the token lacks, where it lacks one. */
          readonly 'WWW-Authenticate'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description No client has this client_id. */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The path is too long. */
      readonly 414: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Too many requests from this token or address, or too many invalid tokens; see Retry-After. */
      readonly 429: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The database cannot be reached, or the service is overloaded; see Retry-After. */
      readonly 503: {
        headers: {
          /** @description Seconds to wait before the next attempt. */
          readonly 'Retry-After'?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
}
type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: T[P];
};
