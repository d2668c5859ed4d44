import type { ClientMetadata, SupportedFeatures } from '@svc/client-metadata';
import type { FieldProblem } from './api-error.js';

/** A Client as the registry answers with it. */
export type ClientDocument = ClientMetadata & {
  readonly client_id: string;
  readonly client_secret_hint?: string;
  /** Seconds since 1970; 0 when it does not expire. */
  readonly client_secret_expires_at?: number;
  readonly cookie_name: string;
  readonly session_expiration_seconds?: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly warnings: readonly FieldProblem[];
};

/** A Client with the tag of its state. */
export interface TaggedClient {
  readonly client: ClientDocument;
  readonly etag: string | undefined;
}

/** One page of `GET /client`. */
export interface ClientPage {
  readonly clients: readonly ClientDocument[];
  readonly next?: string;
}

/** What `GET /client/features` answers with. */
export type Features = SupportedFeatures;
