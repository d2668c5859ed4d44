import { URI_LIMITS, type ClientField } from './client-field.js';
import { MAX_KEYS } from './json-web-keys.js';
import { SIGNING_ALGORITHMS } from './signing-keys.js';

const REGISTRATION = 'RFC 7591 section 2';

/** Properties that all rows below share. */
const OPTIONAL = {
  group: 'canonical',
  required: false,
  optional: true,
  editable: 'always',
  public: true,
} as const;

/** An address that browsers open, in each language. */
const WEB_ADDRESS = { type: 'string', format: 'web-uri', localized: true, limits: URI_LIMITS } as const;

/** An address that requests are sent to. */
const ENDPOINT = { type: 'string', format: 'endpoint-uri', limits: URI_LIMITS } as const;

const FLAG = { type: 'boolean', limits: {} } as const;

/** Fields of OAuth 2.0 and OpenID Connect registration that are supported only if configuration lists them. */
export const OPTIONAL_FIELD_ROWS = [
  {
    ...OPTIONAL,
    name: 'logo_uri',
    label: 'Logo',
    description: 'An image of the application, shown to users.',
    source: REGISTRATION,
    ...WEB_ADDRESS,
  },
  {
    ...OPTIONAL,
    name: 'tos_uri',
    label: 'Terms of service',
    description: 'A web page with the terms of service, shown to users as a link.',
    source: REGISTRATION,
    ...WEB_ADDRESS,
  },
  {
    ...OPTIONAL,
    name: 'policy_uri',
    label: 'Privacy policy',
    description: 'A web page about how the application uses personal data, shown to users as a link.',
    source: REGISTRATION,
    ...WEB_ADDRESS,
  },
  {
    ...OPTIONAL,
    name: 'scope',
    label: 'Scopes',
    description:
      'The scopes that the client may request, separated by spaces. Without it, there is no limit.',
    source: 'RFC 7591 section 2; RFC 6749 section 3.3',
    type: 'string',
    format: 'scope',
    limits: { minLength: 1, maxLength: 2048 },
  },
  {
    ...OPTIONAL,
    name: 'jwks_uri',
    label: 'Address of public keys',
    description:
      "Where the client publishes its public keys, as a JSON Web Key Set. It can't be used with jwks.",
    source: REGISTRATION,
    type: 'string',
    format: 'keys-uri',
    limits: URI_LIMITS,
  },
  {
    ...OPTIONAL,
    name: 'jwks',
    label: 'Public keys',
    description: "The client's public keys, as a JSON Web Key Set. It can't be used with jwks_uri.",
    source: 'RFC 7591 section 2; RFC 7517 section 5',
    type: 'object',
    format: 'jwks',
    limits: { minItems: 1, maxItems: MAX_KEYS },
  },
  {
    ...OPTIONAL,
    name: 'token_endpoint_auth_signing_alg',
    label: 'Signature algorithm of client authentication',
    description:
      'The only algorithm with which the client may sign private_key_jwt assertions. Any if absent.',
    source: 'OpenID Connect Dynamic Client Registration 1.0 section 2',
    type: 'string',
    values: SIGNING_ALGORITHMS,
    limits: {},
  },
  {
    ...OPTIONAL,
    name: 'post_logout_redirect_uris',
    label: 'Redirect URIs after logout',
    description: 'Where the authorization server may redirect users after logout.',
    source: 'OpenID Connect RP-Initiated Logout 1.0 section 3.1',
    type: 'string[]',
    format: 'redirect-uri',
    limits: { ...URI_LIMITS, minItems: 0, maxItems: 100 },
  },
  {
    ...OPTIONAL,
    name: 'backchannel_logout_uri',
    label: 'Back-channel logout',
    description: 'Where the authorization server sends a logout token when a session of the client ends.',
    source: 'OpenID Connect Back-Channel Logout 1.0 section 2.2',
    ...ENDPOINT,
  },
  {
    ...OPTIONAL,
    name: 'backchannel_logout_session_required',
    label: 'Back-channel logout with session ID',
    description: 'Whether logout tokens must contain the session ID (sid).',
    source: 'OpenID Connect Back-Channel Logout 1.0 section 2.2',
    ...FLAG,
  },
  {
    ...OPTIONAL,
    name: 'frontchannel_logout_uri',
    label: 'Front-channel logout',
    description:
      "A page of the client that logs users out, loaded in their browser when their session ends. Its scheme, host and port are a redirect URI's.",
    source: 'OpenID Connect Front-Channel Logout 1.0 section 2',
    ...ENDPOINT,
  },
  {
    ...OPTIONAL,
    name: 'frontchannel_logout_session_required',
    label: 'Front-channel logout with session ID',
    description: 'Whether the page must be loaded with the issuer (iss) and the session ID (sid).',
    source: 'OpenID Connect Front-Channel Logout 1.0 section 2',
    ...FLAG,
  },
] as const satisfies readonly ClientField[];
