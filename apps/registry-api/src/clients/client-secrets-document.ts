import type { SecretDocument } from '@svc/client-metadata';
import type { StoredClient, StoredSecret } from './stored-client.js';

/** What `GET /client/{client_id}/secrets` answers. */
export interface ClientSecretsDocument {
  /** Newest first. */
  readonly client_secrets: readonly SecretDocument[];
}

/** Holds only what changes together with the Client's ETag. */
export function toSecretDocument({ hint, createdAt, expiresAt }: StoredSecret): SecretDocument {
  return {
    hint,
    created_at: new Date(createdAt).toISOString(),
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
  };
}

/** For answers without an ETag: a use of a secret is no change of the Client. */
export function toUsedSecrets({ secrets }: StoredClient): SecretDocument[] {
  return secrets.map((secret) => ({
    ...toSecretDocument(secret),
    ...(secret.lastUsedAt !== null && { last_used_at: new Date(secret.lastUsedAt).toISOString() }),
  }));
}

const TIME = { type: 'string', format: 'date-time' };

/** For the API document. */
export const CLIENT_SECRETS = {
  type: 'object',
  required: ['client_secrets'],
  properties: {
    client_secrets: {
      type: 'array',
      description: 'The newest first; two at most.',
      items: {
        type: 'object',
        required: ['hint', 'created_at'],
        properties: {
          hint: { type: 'string', description: 'The last 4 characters.' },
          created_at: TIME,
          expires_at: { ...TIME, description: 'Absent: it does not expire.' },
          last_used_at: { ...TIME, description: 'Of the last successful check, to the hour; absent: never.' },
        },
      },
    },
  },
};
