import { REASONS } from './reasons.js';
import {
  type DerivedFields,
  type DroppedField,
  type SourceClient,
  textOf,
  textsOf,
} from './product-mapping.js';

/**
 * The response types that products with flows instead of response types offer for grant types (OAuth 2.0 Multiple
 * Response Type Encoding Practices, sections 3 and 5).
 */
export function responseTypesOf(grants: readonly string[]): string[] {
  const code = grants.includes('authorization_code');
  const implicit = grants.includes('implicit');
  return [
    ...(code ? ['code'] : []),
    ...(implicit ? ['id_token', 'id_token token'] : []),
    ...(code && implicit ? ['code id_token', 'code token', 'code id_token token'] : []),
  ];
}

/**
 * The defaults of products that follow RFC 7591, where they differ from ours, and without response types that lack
 * their grant type.
 *
 * @see RFC 7591 section 2 for the defaults
 */
export function registrationDefaults(client: SourceClient): DerivedFields {
  const given = client.get('grant_types');
  const grants = isUnset(given) ? ['authorization_code'] : given;
  const { values, dropped } = responseTypes(client.get('response_types'), textsOf(grants) ?? []);
  return {
    values: {
      grant_types: grants,
      response_types: values,
      redirect_uris: client.get('redirect_uris') ?? [],
      contacts: isUnset(client.get('contacts')) ? undefined : client.get('contacts'),
      token_endpoint_auth_method: textOf(client.get('token_endpoint_auth_method')) ?? 'client_secret_basic',
    },
    dropped,
  };
}

function responseTypes(
  given: unknown,
  grants: readonly string[],
): { readonly values: unknown; readonly dropped: DroppedField[] } {
  const hasCode = grants.includes('authorization_code');
  if (isUnset(given)) return { values: hasCode ? ['code'] : [], dropped: [] };
  const types = textsOf(given);
  if (hasCode || !types) return { values: given, dropped: [] };
  const unused = types.flatMap((type, index) => (type === 'code' ? [index] : []));
  return {
    values: types.filter((type) => type !== 'code'),
    dropped: unused.map((index) => ({ field: `response_types/${index}`, reason: REASONS.unusedResponse })),
  };
}

function isUnset(value: unknown): boolean {
  return value == null || value === '' || (Array.isArray(value) && value.length === 0);
}
