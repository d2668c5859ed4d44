import type { ClientDocument, SupportedFeatures } from '@svc/client-metadata';

/** A client with its ETag. */
export interface TaggedClient {
  readonly client: ClientDocument;
  readonly etag: string | undefined;
}

/** One page of `GET /client`. */
export interface ClientPage {
  readonly clients: readonly ClientDocument[];
  readonly next?: string;
  /** On the first page: the number of clients, or a lower bound. */
  readonly total?: number;
  readonly total_is_exact?: boolean;
}

/** Response of `GET /client/features`. */
export type Features = SupportedFeatures;
