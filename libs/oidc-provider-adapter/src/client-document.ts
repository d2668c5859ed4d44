import type { ClientDocument as FullDocument } from '@svc/client-metadata';

/** A Client as returned by `GET /client/{client_id}`; the properties used here have been checked to exist. */
export type ClientDocument = Readonly<Record<string, unknown>> &
  Pick<
    FullDocument,
    | 'client_id'
    | 'enabled'
    | 'redirect_uris'
    | 'temporary_redirect_uris'
    | 'redirect_uri_validation_method'
    | 'application_type'
    | 'token_endpoint_auth_method'
  >;

/** @returns undefined unless the text is a Client with this id */
export function parseClientDocument(text: string, clientId: string): ClientDocument | undefined {
  const value = parseObject(text);
  const isClient =
    value?.['client_id'] === clientId &&
    typeof value['enabled'] === 'boolean' &&
    Array.isArray(value['redirect_uris']) &&
    ['redirect_uri_validation_method', 'application_type', 'token_endpoint_auth_method'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    isAbsentOrTemporary(value['temporary_redirect_uris']);
  return isClient ? (value as ClientDocument) : undefined;
}

function isAbsentOrTemporary(value: unknown): boolean {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) =>
        typeof each === 'object' &&
        each !== null &&
        'redirect_uri' in each &&
        'expires_at' in each &&
        typeof each.expires_at === 'string',
    )
  );
}

/** @returns undefined unless the text is a JSON object */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
