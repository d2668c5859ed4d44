import type { RuleViolation } from '@svc/foundation';
import { keySetViolations, MAX_KEYS, type PlacedViolation } from './json-web-keys.js';
import { labelKeyViolations, labelValueViolations, MAX_LABEL_KEY_LENGTH } from './labels.js';
import { DURATION_PATTERN, parseSessionExpiration } from './session-expiration.js';
import { isDomain } from '../uri/host.js';
import { validateRedirectUri, type RedirectUriContext } from '../uri/validate-redirect-uri.js';
import { validateEndpointUri, validateKeysUri, validateWebUri } from '../uri/validate-web-uri.js';
import { quote } from '../violations/violation.js';
import type { FieldFormat } from './client-field.js';

/** A format's check, and its approximation in JSON Schema. */
export interface FormatRow {
  /** Violations other than length and characters; messages start with a verb. */
  readonly violations: (text: string, context: RedirectUriContext) => RuleViolation[];
  /** Violations of a map's keys. */
  readonly keyViolations?: (key: string) => RuleViolation[];
  /** Violations of an object. */
  readonly objectViolations?: (value: object) => PlacedViolation[];
  /** Normalizes the value for storage. */
  readonly normalise?: (text: string) => string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Ids that conflict with API routes. */
const RESERVED_CLIENT_IDS = ['features', '.', '..'];

/** Scope tokens, separated by one space each (RFC 6749 section 3.3). */
const SCOPE = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/;

/** Each format's row. A new format is a new row. */
export const FIELD_FORMATS: Readonly<Record<FieldFormat, FormatRow>> = {
  'display-name': {
    violations: displayNameViolations,
    normalise: (text) => text.trim(),
    schema: { pattern: '\\S' },
  },
  text: { violations: () => [], schema: {} },
  'client-id': { violations: clientIdViolations, schema: { pattern: '^[ -~]+$' } },
  'redirect-uri': { violations: validateRedirectUri, schema: { format: 'uri' } },
  'web-uri': { violations: validateWebUri, schema: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' } },
  'endpoint-uri': {
    violations: validateEndpointUri,
    schema: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^#]+$' },
  },
  'keys-uri': {
    violations: validateKeysUri,
    schema: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^#]+$' },
  },
  scope: { violations: scopeViolations, schema: { pattern: SCOPE.source } },
  jwks: {
    violations: () => [],
    objectViolations: keySetViolations,
    schema: {
      required: ['keys'],
      properties: {
        keys: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_KEYS,
          items: { type: 'object', required: ['kty'], properties: { kty: { type: 'string' } } },
        },
      },
      additionalProperties: false,
    },
  },
  domain: { violations: domainViolations, schema: { pattern: '^\\.?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$' } },
  duration: { violations: durationViolations, schema: { pattern: DURATION_PATTERN } },
  labels: {
    violations: labelValueViolations,
    keyViolations: labelKeyViolations,
    schema: { propertyNames: { type: 'string', maxLength: MAX_LABEL_KEY_LENGTH } },
  },
};

/** Matches a visible character: not a space, combining mark, format character or filler. */
const VISIBLE = /[^\p{Z}\p{M}\p{C}\u115f\u1160\u2800\u3164\uffa0]/u;

function displayNameViolations(text: string): RuleViolation[] {
  return VISIBLE.test(text) ? [] : [{ code: 'blank', message: 'must have at least one visible character' }];
}

function clientIdViolations(text: string): RuleViolation[] {
  if (RESERVED_CLIENT_IDS.includes(text)) {
    return [
      { code: 'reserved', message: `must not be any of ${RESERVED_CLIENT_IDS.join(' ')}: paths use them` },
    ];
  }
  if (/^[\x20-\x7e]*$/.test(text)) return [];
  return [
    {
      code: 'not_vschar',
      message: 'must consist of printable ASCII characters (VSCHAR, RFC 6749 appendix A.1)',
    },
  ];
}

function scopeViolations(text: string): RuleViolation[] {
  if (!SCOPE.test(text)) {
    const message = 'must be scope tokens of printable ASCII without " and \\, separated by one space each';
    return [{ code: 'scope', message: `${message} (RFC 6749 section 3.3)` }];
  }
  const tokens = text.split(' ');
  const repeated = tokens.find((token, index) => tokens.indexOf(token) < index);
  return repeated === undefined ? [] : [{ code: 'duplicate', message: `contains ${quote(repeated)} twice` }];
}

function domainViolations(text: string): RuleViolation[] {
  // User agents ignore a leading dot (RFC 6265 section 5.2.3).
  if (isDomain(text.replace(/^\./, ''))) return [];
  return [
    {
      code: 'domain',
      message: 'must be a domain name in ASCII form, such as example.com (RFC 6265 section 4.1.2.3)',
    },
  ];
}

function durationViolations(text: string): RuleViolation[] {
  const outcome = parseSessionExpiration(text);
  return typeof outcome === 'number' ? [] : [outcome];
}
