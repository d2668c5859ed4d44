import { memberOf } from '@svc/foundation';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { splitName } from '../fields/localized-fields.js';
import { extendCapabilities, type Capabilities } from '../fields/capabilities.js';

/**
 * Reads a registry's capabilities from its `GET /client/features` response, so that a form or command validates
 * Clients like that registry.
 *
 * @throws {RangeError} if it is not such a response, or contains values that this version cannot validate
 */
export function readCapabilities(features: unknown): Capabilities {
  const fields = memberOf(features, 'fields');
  if (!Array.isArray(fields)) throw new RangeError('not a GET /client/features response: it has no fields');
  const byName = new Map(fields.map((field: unknown) => [memberOf(field, 'name'), field]));
  const values = (name: string) => strings(memberOf(byName.get(name), 'allowed_values'));
  const names = [...byName.keys()].filter((name) => typeof name === 'string');
  const domain = memberOf(byName.get('cookie_domain'), 'default');
  return extendCapabilities({
    application_type: values('application_type'),
    response_types: values('response_types'),
    grant_types: values('grant_types'),
    token_endpoint_auth_method: values('token_endpoint_auth_method'),
    optional_fields: CLIENT_FIELDS.filter(({ name, optional }) => optional && byName.has(name)).map(
      ({ name }) => name,
    ),
    languages: names.flatMap((name) => splitName(name).language ?? []),
    http_redirect_hosts: strings(memberOf(memberOf(features, 'limits'), 'http_redirect_hosts')),
    default_cookie_domain: typeof domain === 'string' ? domain : undefined,
  });
}

/** Whether imports into the registry may contain client secrets, from its `GET /client/features` response. */
export function takesSecrets(features: unknown): boolean {
  return memberOf(features, 'secret_import') !== undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
