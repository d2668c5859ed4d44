import type { ClientDocument, SupportedFeatures } from '@svc/client-metadata';
import type { Schema } from '@svc/registry-contract';

/** A client with its ETag. */
export interface TaggedClient {
  readonly client: ClientDocument;
  readonly etag: string | undefined;
}

/** One page of `GET /client`. */
export type ClientPage = Omit<Schema<'ClientList'>, 'clients'> & {
  readonly clients: readonly ClientDocument[];
};

/** Response of `GET /client/features`. */
export type Features = SupportedFeatures;
