/** A request to an API that speaks JSON; without a body unless there is one. */
export interface JsonRequest {
  readonly method: string;
  /** A bearer token. */
  readonly token: string;
  readonly body?: unknown;
}

/** Asks an API that speaks JSON. @returns its answer, whatever the status; of an empty one the body is undefined */
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

/** Asks for what must succeed. @throws {Error} with the answer when it does not */
export async function askForJson<T = Record<string, unknown>>(url: string, request: JsonRequest): Promise<T> {
  const { status, body } = await askJson<T>(url, request);
  if (status >= 400) throw new Error(`${request.method} ${url}: ${status} ${JSON.stringify(body)}`);
  return body;
}
