import { CLIENT_FIELDS } from './fields/client-fields.js';

/** What the running server supports: the specification's values, and those that configuration adds to them. */
export interface Capabilities {
  readonly application_type: readonly string[];
  readonly response_types: readonly string[];
  readonly grant_types: readonly string[];
  readonly token_endpoint_auth_method: readonly string[];
  /** Hosts besides the loopback ones whose redirect URIs may use plain http: host names, without a port. */
  readonly http_redirect_hosts: readonly string[];
  /** What `cookie_domain` is when a Client does not say. */
  readonly default_cookie_domain?: string;
}

/** What configuration may add. */
export type Widening = { readonly [Name in keyof Capabilities]?: Capabilities[Name] };

/** The table's fields whose allowed values configuration can widen. */
export type WidenableField =
  'application_type' | 'response_types' | 'grant_types' | 'token_endpoint_auth_method';

/** Exactly the specification's. */
export const DEFAULT_CAPABILITIES: Capabilities = {
  application_type: ['web'],
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: ['none'],
  http_redirect_hosts: [],
};

/**
 * The specification's capabilities and what configuration adds to them.
 *
 * @throws {RangeError} naming every value that the field table does not know how to judge
 */
export function widenCapabilities(widening: Widening): Capabilities {
  const faults: string[] = [];
  const widened = (name: WidenableField): string[] => {
    const field = CLIENT_FIELDS.find((row) => row.name === name);
    const added = widening[name] ?? [];
    const known = [...(field?.values ?? []), ...(field?.widenings ?? [])];
    for (const value of added) {
      if (!known.includes(value))
        faults.push(`${name} cannot be ${value}; known values: ${known.join(', ')}`);
    }
    return [...new Set([...DEFAULT_CAPABILITIES[name], ...added])];
  };
  const capabilities: Capabilities = {
    application_type: widened('application_type'),
    response_types: widened('response_types'),
    grant_types: widened('grant_types'),
    token_endpoint_auth_method: widened('token_endpoint_auth_method'),
    http_redirect_hosts: (widening.http_redirect_hosts ?? []).map((host) => host.toLowerCase()),
    ...(widening.default_cookie_domain === undefined
      ? {}
      : { default_cookie_domain: widening.default_cookie_domain }),
  };
  if (faults.length > 0) throw new RangeError(faults.join('; '));
  return capabilities;
}
