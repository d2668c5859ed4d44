/** A request to a JSON API. */
export interface JsonRequest {
  readonly method: string;
  /** A bearer token. */
  readonly token: string;
  readonly body?: unknown;
}

/** Calls a JSON API. @returns the response, whatever its status; an empty body is undefined */
export async function askJson<T = unknown>(
  url: string,
  { method, token, body }: JsonRequest,
): Promise<{ readonly status: number; readonly body: T }> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

/** Calls a JSON API and returns the body. @throws {Error} with the response if it fails */
export async function askForJson<T = Record<string, unknown>>(url: string, request: JsonRequest): Promise<T> {
  const { status, body } = await askJson<T>(url, request);
  if (status >= 400) throw new Error(`${request.method} ${url}: ${status} ${JSON.stringify(body)}`);
  return body;
}
