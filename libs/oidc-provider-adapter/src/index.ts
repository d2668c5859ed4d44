export type { ProviderConfiguration } from './configure.js';
export { RegistryClients } from './registry-clients.js';
export type { FeedState, RegistryOptions } from './registry-options.js';
export { RegistryUnavailableError } from './registry-unavailable.error.js';
