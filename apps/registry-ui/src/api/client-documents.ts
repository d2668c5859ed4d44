import type { Schema } from '@svc/registry-contract';

/** A client with its ETag. */
export interface TaggedClient {
  readonly client: ClientDocument;
  readonly etag: string | undefined;
}

export type ClientDocument = Schema<'Client'>;

/** One page of `GET /client`. */
export type ClientPage = Schema<'ClientList'>;

/** What this registry supports. */
export type Features = Schema<'Features'>;

/** A metadata field as this registry supports it. */
export type FeatureField = Schema<'FeatureField'>;

/** A starting point for a registration. */
export type FeatureTemplate = Schema<'FeatureTemplate'>;

/** A secret, without its value. */
export type ClientSecret = Schema<'ClientSecret'>;
