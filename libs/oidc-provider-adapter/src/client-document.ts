import type { ClientDocument as WholeDocument } from '@svc/client-metadata';

/** A Client as `GET /client/{client_id}` answers it; what is used of it here is known to be there. */
export type ClientDocument = Readonly<Record<string, unknown>> &
  Pick<
    WholeDocument,
    | 'client_id'
    | 'enabled'
    | 'redirect_uris'
    | 'redirect_uri_validation_method'
    | 'application_type'
    | 'token_endpoint_auth_method'
  >;

/** @returns nothing when the text is no Client with this id */
export function parseClientDocument(text: string, clientId: string): ClientDocument | undefined {
  const value = parseObject(text);
  const isClient =
    value?.['client_id'] === clientId &&
    typeof value['enabled'] === 'boolean' &&
    Array.isArray(value['redirect_uris']) &&
    ['redirect_uri_validation_method', 'application_type', 'token_endpoint_auth_method'].every(
      (name) => typeof value[name] === 'string',
    );
  return isClient ? (value as ClientDocument) : undefined;
}

/** @returns nothing when the text is no JSON object */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
