import {
  type ClientValidationOptions,
  type CurrentClient,
  pointerTo,
  validateRegistration,
  validateUpdate,
  readCapabilities,
} from '@svc/client-metadata';
import type { Violation } from '../api/api-error.js';
import type { FeatureField, Features } from '../api/client-documents.js';
import { repeatedKeys } from '../metadata/map-entries.js';
import { optionalText, text } from '../texts/form.js';
import type { FormValues } from './form-values.js';
import { fieldOf } from './use-refusal.js';

export interface FormValidation {
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
}

const NOT_VALIDATED: FormValidation = { violations: [], warnings: [] };

/**
 * Validates a body by the server's own rules: as an update of `current`, else as a registration. If the server's version
 * has rules unknown to this one, nothing is reported and the server decides.
 */
export function validateForm(
  features: Features,
  body: object,
  current: CurrentClient | undefined,
  options: ClientValidationOptions = {},
): FormValidation {
  try {
    const capabilities = readCapabilities(features);
    const validation = current
      ? validateUpdate(current, body, capabilities)
      : validateRegistration(body, capabilities, options);
    return {
      violations: validation.valid ? [] : validation.violations.map(inFormWords),
      warnings: validation.warnings,
    };
  } catch (error) {
    if (error instanceof RangeError) return NOT_VALIDATED;
    throw error;
  }
}

/** The code of entries of a map with the same key. */
export const REPEATED_KEY = 'repeated_key';

/** Entries of maps with the same key, of which a body can have only one. */
export function repeatedEntries(fields: readonly FeatureField[], values: FormValues): Violation[] {
  return fields.flatMap(({ name, type }) => {
    const rows = type === 'map' && Array.isArray(values[name]) ? values[name].map(String) : [];
    const message = text('form.entry.repeated');
    return repeatedKeys(rows).map((key) => ({ field: pointerTo(name, key), code: REPEATED_KEY, message }));
  });
}

/** Missing values have their own wording in the form. */
function inFormWords(violation: Violation): Violation {
  const message = optionalText(`violation.${fieldOf(violation.field)}.${violation.code}`);
  return message === undefined ? violation : { ...violation, message };
}
