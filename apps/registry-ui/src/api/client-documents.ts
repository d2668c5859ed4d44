import type { ClientDocument, SupportedFeatures } from '@svc/client-metadata';

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
