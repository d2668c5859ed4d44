import type { components, operations, paths } from './registry-api.js';

export type { components, operations, paths };

/** A schema of the registry's API document, by its name: `Schema<'Client'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
