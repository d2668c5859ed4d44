/** Creates an API token with minimal scopes. @returns its value, which the registry does not show again */
export async function mintToken(
  registryUrl: string,
  token: string,
  name: string,
  scopes: readonly string[],
): Promise<string> {
  const answer = await fetch(`${registryUrl}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, scopes, expires_in: '1 d' }),
  });
  if (!answer.ok) throw new Error(`POST /token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly token: string }).token;
}
