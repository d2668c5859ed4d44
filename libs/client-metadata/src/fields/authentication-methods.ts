/** Whether a Client with this token_endpoint_auth_method has a client_secret: a public one has none, and keys replace it. */
export function usesSecret(method: unknown): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}
