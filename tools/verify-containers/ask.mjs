/**
 * One request with a bearer token.
 *
 * @returns {Promise<{ status: number, headers: Headers, text: string, body: any }>} `body` is the parsed JSON, if any
 */
export async function ask(method, url, token, sent, headers = {}) {
  const isText = typeof sent === 'string';
  const response = await fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: isText ? sent : JSON.stringify(sent) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
