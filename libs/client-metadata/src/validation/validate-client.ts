import { defaultOf, type Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import type { Violation } from '@svc/foundation';
import { CLIENT_RULES } from './client-rules.js';
import { withLanguages } from '../fields/localized-fields.js';
import { warningsOf } from './client-warnings.js';
import { validateField, type FieldContext } from './validate-field.js';

/** The metadata to store, or all violations. */
export type ValidationResult =
  | {
      readonly valid: true;
      readonly metadata: ClientMetadata;
      /** The client_id requested at registration. */
      readonly preferredClientId?: string;
      readonly warnings: readonly Violation[];
    }
  | {
      readonly valid: false;
      readonly violations: readonly Violation[];
      readonly warnings: readonly Violation[];
    };

/** A Client to validate: values by field name. A Map, so that no name can reach a prototype. */
export type ClientDraft = ReadonlyMap<string, unknown>;

const VALIDATED_FIELDS = CLIENT_FIELDS.filter((field) => field.editable !== 'never');

export interface ClientValidationOptions {
  /** Skips the rules between fields: the values are for Clients that differ in the others. */
  readonly eachFieldAlone?: boolean;
}

/**
 * The single entry point for validating a Client: registration, update, patch, import, bulk and public registration
 * all pass their merged state here. Fills in defaults, validates each field by its row in the table, then applies the
 * rules between fields.
 */
export function validateClient(
  draft: ClientDraft,
  capabilities: Capabilities,
  { eachFieldAlone = false }: ClientValidationOptions = {},
): ValidationResult {
  const context: FieldContext = { applicationType: draft.get('application_type'), capabilities };
  const violations: Violation[] = [];
  const values = new Map<string, unknown>();
  const invalid = new Set<string>();
  for (const field of withLanguages(VALIDATED_FIELDS, draft.keys())) {
    const result = validateField(field, draft.get(field.name) ?? defaultOf(field, capabilities), context);
    if ('violations' in result) {
      violations.push(...result.violations);
      invalid.add(field.name);
    } else if (result.value !== undefined) values.set(field.name, result.value);
  }
  const preferredClientId = values.get('preferred_client_id');
  values.delete('preferred_client_id');
  // Safe: every row was validated, and ClientMetadata is derived from the same rows.
  const metadata = Object.fromEntries(values) as ClientMetadata;
  if (!eachFieldAlone) violations.push(...brokenRules(metadata, invalid));
  if (violations.length > 0) return { valid: false, violations, warnings: [] };
  return {
    valid: true,
    metadata,
    ...(typeof preferredClientId === 'string' && { preferredClientId }),
    warnings: warningsOf(metadata, capabilities),
  };
}

function brokenRules(metadata: ClientMetadata, invalid: ReadonlySet<string>): Violation[] {
  return CLIENT_RULES.filter(({ reads }) => !reads.some((name) => invalid.has(name))).flatMap(
    ({ code, violations }) => violations(metadata).map((violation) => ({ ...violation, code })),
  );
}
