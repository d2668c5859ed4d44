import type { FeatureField } from '../api/client-documents.js';
import type { TextName } from '../texts/text.js';

/** Fields that belong together. */
export interface Section {
  readonly id: string;
  readonly title: TextName;
  readonly fields: readonly FeatureField[];
}

/** The sections in display order. */
const SECTIONS: readonly {
  readonly id: string;
  readonly title: TextName;
  readonly names: readonly string[];
}[] = [
  {
    id: 'identity',
    title: 'section.identity',
    names: [
      'client_name',
      'preferred_client_id',
      'client_uri',
      'application_type',
      'description',
      'labels',
      'contacts',
    ],
  },
  { id: 'redirects', title: 'section.redirects', names: ['redirect_uris', 'redirect_uri_validation_method'] },
  {
    id: 'oauth',
    title: 'section.oauth',
    names: ['token_endpoint_auth_method', 'code_challenge_method', 'grant_types', 'response_types'],
  },
  {
    id: 'pages',
    title: 'section.pages',
    names: ['login_uri', 'authorize_uri', 'session_expiration'],
  },
  {
    id: 'cookies',
    title: 'section.cookies',
    names: ['cookie_entry_uri', 'cookie_domain', 'cookie_webhook_uri', 'cookie_name'],
  },
  { id: 'anonymous', title: 'section.anonymous', names: ['authorize_anonymous_users', 'anonymous_cid'] },
];

/** Groups fields into sections; an unknown field, such as a new one, goes into the last. */
export function sectionsOf(fields: readonly FeatureField[]): Section[] {
  const known = new Set(SECTIONS.flatMap(({ names }) => names));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const sections: Section[] = SECTIONS.map(({ id, title, names }) => ({
    id,
    title,
    fields: names.flatMap((name) => byName.get(name) ?? []),
  }));
  const rest = fields.filter(({ name }) => !known.has(name));
  return [...sections, { id: 'more', title: 'section.more' as const, fields: rest }].filter(
    (section) => section.fields.length > 0,
  );
}
