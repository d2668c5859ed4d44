import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ClientDocument } from '@svc/client-metadata';
import { invalidateClients } from '../api/invalidate-clients.js';
import { randomText } from '../api/random-text.js';
import { fetchBody } from '../api/request.js';

/** What was tried last, and the key that it was sent with. */
interface Attempt {
  readonly sent: string;
  readonly key: string;
}

/** Registers what a form holds. Whoever tries again because no answer came does not register a second Client. */
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
async function registerClient(body: object, idempotencyKey: string): Promise<RegisteredClient> {
  return fetchBody<RegisteredClient>({
    method: 'POST',
    path: '/client',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}
