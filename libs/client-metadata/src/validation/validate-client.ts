import { defaultOf, type Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import type { Violation } from '@svc/foundation';
import { CLIENT_RULES } from './client-rules.js';
import { warningsOf } from './client-warnings.js';
import { validateField, type FieldContext } from './validate-field.js';

/** What is thought of a Client: its metadata as it will be stored, or every violation found. */
export type ValidationResult =
  | {
      readonly valid: true;
      readonly metadata: ClientMetadata;
      /** The client_id asked for, at registration. */
      readonly preferredClientId?: string;
      readonly warnings: readonly Violation[];
    }
  | {
      readonly valid: false;
      readonly violations: readonly Violation[];
      readonly warnings: readonly Violation[];
    };

/** A Client's state to be: the values by the names of the fields. A Map, so no name can reach a prototype. */
export type ClientDraft = ReadonlyMap<string, unknown>;

/** The rows whose values make up the stored metadata. */
export const EDITABLE_FIELDS = CLIENT_FIELDS.filter((field) => field.editable === 'always');

const VALIDATED_FIELDS = CLIENT_FIELDS.filter((field) => field.editable !== 'never');

/**
 * The one function that validates a Client: registration, update, patch, import, bulk and public registration all bring
 * their final merged state here. Defaults are filled in, each field is validated by its row of the table, then the rules
 * between fields are asked.
 */
export function validateClient(draft: ClientDraft, capabilities: Capabilities): ValidationResult {
  const context: FieldContext = { applicationType: String(draft.get('application_type')), capabilities };
  const violations: Violation[] = [];
  const values = new Map<string, unknown>();
  for (const field of VALIDATED_FIELDS) {
    const result = validateField(field, draft.get(field.name) ?? defaultOf(field, capabilities), context);
    if ('violations' in result) violations.push(...result.violations);
    else if (result.value !== undefined) values.set(field.name, result.value);
  }
  const preferredClientId = values.get('preferred_client_id');
  values.delete('preferred_client_id');
  // Every row was validated, so what the rules read is of the type that ClientMetadata derives from the same rows.
  const metadata = Object.fromEntries(values) as ClientMetadata;
  violations.push(...brokenRules(metadata));
  if (violations.length > 0) return { valid: false, violations, warnings: [] };
  return {
    valid: true,
    metadata,
    ...(typeof preferredClientId === 'string' && { preferredClientId }),
    warnings: warningsOf(metadata, capabilities),
  };
}

function brokenRules(metadata: ClientMetadata): Violation[] {
  return CLIENT_RULES.filter(({ reads }) => reads.every((name) => metadata[name] !== undefined)).flatMap(
    ({ code, violations }) => violations(metadata).map((violation) => ({ ...violation, code })),
  );
}
