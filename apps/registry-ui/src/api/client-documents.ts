import type { ClientMetadata, SupportedFeatures } from '@svc/client-metadata';
import type { FieldProblem } from './api-error.js';

/** A Client as the registry answers with it. */
export type ClientDocument = ClientMetadata & {
  readonly client_id: string;
  /** A disabled Client fails every check. */
  readonly enabled: boolean;
  readonly client_secret_hint?: string;
  /** Seconds since 1970; 0 when it does not expire. */
  readonly client_secret_expires_at?: number;
  /** Newest first. */
  readonly client_secrets: readonly SecretDocument[];
  readonly cookie_name: string;
  readonly session_expiration_seconds?: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly warnings: readonly FieldProblem[];
};

/** What is told of a client secret. */
export interface SecretDocument {
  /** Its last characters. */
  readonly hint: string;
  readonly created_at: string;
  /** Absent: never. */
  readonly expires_at?: string;
  /** Known to the hour; absent: never. */
  readonly last_used_at?: string;
}

/** A Client with the tag of its state. */
export interface TaggedClient {
  readonly client: ClientDocument;
  readonly etag: string | undefined;
}

/** One page of `GET /client`. */
export interface ClientPage {
  readonly clients: readonly ClientDocument[];
  readonly next?: string;
  /** Of the first page: how many Clients there are, or at least are. */
  readonly total?: number;
  readonly total_is_exact?: boolean;
}

/** What `GET /client/features` answers with. */
export type Features = SupportedFeatures;
