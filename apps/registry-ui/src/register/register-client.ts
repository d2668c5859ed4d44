import type { ClientDocument } from '@svc/client-metadata';
import { askBody } from '../api/request.js';

/** A Client just registered. */
export type RegisteredClient = ClientDocument & {
  /** The only answer that holds it; absent when an earlier attempt was answered with it. */
  readonly client_secret?: string;
};

/**
 * Registers a Client once, however often the same body comes with the same key.
 *
 * @throws {ApiError}
 */
export async function registerClient(body: object, idempotencyKey: string): Promise<RegisteredClient> {
  return askBody<RegisteredClient>({
    method: 'POST',
    path: '/client',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}
