import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Schema } from '@svc/registry-contract';
import { invalidateClients } from '../api/invalidate-clients.js';
import { randomText } from '../api/random-text.js';
import { fetchBody } from '../api/request.js';

/** The last attempt and its idempotency key. */
interface Attempt {
  readonly sent: string;
  readonly key: string;
}

/** Registers a client. Retrying after a lost response does not register it twice. */
export function useRegistration(
  onRegistered: (registered: RegisteredClient) => void,
  onError: (error: Error) => void,
) {
  const queries = useQueryClient();
  const last = useRef<Attempt>(undefined);
  return useMutation({
    mutationFn: async (body: object) => {
      const sent = JSON.stringify(body);
      if (last.current?.sent !== sent) last.current = { sent, key: randomText() };
      return registerClient(body, last.current.key);
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
