export { RegistryClient, type ListQuery, type RegistryOptions } from './registry-client.js';
export type {
  ClientDocument,
  ClientPage,
  ClientWithSecret,
  ImportReport,
  ImportedClient,
  VersionedClient,
} from './registry-documents.js';
export { RegistryError, type RegistryFailure, type RegistryFault } from './registry-error.js';
