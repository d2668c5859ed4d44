import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { invalidateClients } from '../api/changed-clients.js';
import { randomText } from '../api/random-text.js';
import { registerClient, type RegisteredClient } from './register-client.js';

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
