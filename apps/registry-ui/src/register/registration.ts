import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { useIdempotencyKey } from '../api/idempotency-key.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';

interface Registration {
  /** Loads what shows the secret, before there is one to lose. */
  readonly prepare: () => Promise<unknown>;
  readonly onRegistered: (registered: RegisteredClient) => void;
  readonly onError: (error: Error) => void;
}

/** Registers a client. Retrying after a lost response does not register it twice. */
export function useRegistration({ prepare, onRegistered, onError }: Registration) {
  const queries = useQueryClient();
  const { keyOf } = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: async (body: object) => {
      await prepare();
      return registerClient(body, keyOf(body));
    },
    onSuccess: (registered) => {
      invalidateClients(queries);
      onRegistered(registered);
    },
    onError,
  });
}

/** A new client. Only this response contains its secret, unless an earlier attempt already received it. */
export type RegisteredClient = Schema<'RegisteredClient'>;

/**
 * Registers a client once, no matter how often the same body is sent with the same key.
 *
 * @throws {ApiError}
 */
async function registerClient(body: object, idempotencyKey: string): Promise<RegisteredClient> {
  return fetchBody({
    method: 'POST',
    path: '/client',
    // Assembled from the fields that the registry has listed.
    body: body as Schema<'ClientRegistration'>,
    headers: { 'idempotency-key': idempotencyKey },
  });
}
