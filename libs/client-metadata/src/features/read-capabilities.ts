import { extendCapabilities, type Capabilities } from '../fields/capabilities.js';

/**
 * The capabilities of a running registry, from its answer to `GET /client/features`: with them a form or a command
 * validates a Client as that registry will.
 *
 * @throws {RangeError} when it is no such answer, or tells values that this version cannot validate
 */
export function readCapabilities(features: unknown): Capabilities {
  const fields = member(features, 'fields');
  if (!Array.isArray(fields))
    throw new RangeError('it is no answer of GET /client/features: it has no fields');
  const byName = new Map(fields.map((field: unknown) => [member(field, 'name'), field]));
  const values = (name: string) => strings(member(byName.get(name), 'allowed_values'));
  const domain = member(byName.get('cookie_domain'), 'default');
  return extendCapabilities({
    application_type: values('application_type'),
    response_types: values('response_types'),
    grant_types: values('grant_types'),
    token_endpoint_auth_method: values('token_endpoint_auth_method'),
    http_redirect_hosts: strings(member(member(features, 'limits'), 'http_redirect_hosts')),
    default_cookie_domain: typeof domain === 'string' ? domain : undefined,
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
