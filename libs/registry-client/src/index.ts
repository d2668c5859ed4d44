export { RegistryClient, type RegistryOptions } from './registry-client.js';
export type { ListQuery, RecommendationQuery } from './registry-requests.js';
export type {
  ClientDocument,
  ClientPage,
  ClientWithSecret,
  Explanation,
  ImportReport,
  ImportedClient,
  RecommendationDocument,
  RecommendationPage,
  VersionedClient,
} from './registry-documents.js';
export { RegistryError, type RegistryFailure } from './registry-error.js';
