import { splitName } from '@svc/client-metadata';
import type { FeatureField } from '../api/client-documents.js';
import { text } from '../texts/metadata.js';

/** Fields that belong together. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly FeatureField[];
}

/** The sections in display order. */
const SECTIONS: readonly {
  readonly id: string;
  readonly title: string;
  readonly names: readonly string[];
}[] = [
  {
    id: 'identity',
    title: text('section.identity'),
    names: [
      'client_name',
      'preferred_client_id',
      'client_uri',
      'logo_uri',
      'tos_uri',
      'policy_uri',
      'application_type',
      'description',
      'labels',
      'contacts',
    ],
  },
  {
    id: 'redirects',
    title: text('section.redirects'),
    names: ['redirect_uris', 'redirect_uri_validation_method'],
  },
  {
    id: 'oauth',
    title: text('section.oauth'),
    names: [
      'token_endpoint_auth_method',
      'jwks_uri',
      'jwks',
      'token_endpoint_auth_signing_alg',
      'code_challenge_method',
      'grant_types',
      'response_types',
      'scope',
    ],
  },
  {
    id: 'logout',
    title: text('section.logout'),
    names: [
      'post_logout_redirect_uris',
      'backchannel_logout_uri',
      'backchannel_logout_session_required',
      'frontchannel_logout_uri',
      'frontchannel_logout_session_required',
    ],
  },
  {
    id: 'pages',
    title: text('section.pages'),
    names: ['login_uri', 'authorize_uri', 'session_expiration'],
  },
  {
    id: 'cookies',
    title: text('section.cookies'),
    names: ['cookie_entry_uri', 'cookie_domain', 'cookie_webhook_uri', 'cookie_name'],
  },
  {
    id: 'anonymous',
    title: text('section.anonymous'),
    names: ['authorize_anonymous_users', 'anonymous_cid'],
  },
];

/** Groups fields into sections, each followed by its languages; an unknown field, such as a new one, goes into the last. */
export function sectionsOf(fields: readonly FeatureField[]): Section[] {
  const known = new Set(SECTIONS.flatMap(({ names }) => names));
  const sections: Section[] = SECTIONS.map(({ id, title, names }) => ({
    id,
    title,
    fields: names.flatMap((name) => fields.filter((field) => splitName(field.name).base === name)),
  }));
  const rest = fields.filter(({ name }) => !known.has(splitName(name).base));
  return [...sections, { id: 'more', title: text('section.more'), fields: rest }].filter(
    (section) => section.fields.length > 0,
  );
}
