import type { DeclarationRules } from './declaration-rules.js';

/** @throws {RangeError} if a schema is invalid; it names the schema */
export async function assertSchemas({ schemas }: DeclarationRules): Promise<void> {
  // Loaded lazily: few libraries have schemas.
  const { SchemaChecks } = await import('./schema-checks.js');
  new SchemaChecks(schemas);
}
