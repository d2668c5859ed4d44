import type { ClientDocument } from '../api/client-documents.js';
import { askBody } from '../api/request.js';

/** A Client just registered: the only answer that holds its secret. */
export type RegisteredClient = ClientDocument & { readonly client_secret: string };

/** @throws {ApiError} */
export async function registerClient(body: object): Promise<RegisteredClient> {
  return askBody<RegisteredClient>({ method: 'POST', path: '/client', body });
}
