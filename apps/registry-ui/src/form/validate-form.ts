import {
  type CurrentClient,
  validateRegistration,
  validateUpdate,
  readCapabilities,
} from '@svc/client-metadata';
import type { Violation } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { optionalText } from '../texts/form.js';
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
): FormValidation {
  try {
    const capabilities = readCapabilities(features);
    const validation = current
      ? validateUpdate(current, body, capabilities)
      : validateRegistration(body, capabilities);
    return {
      violations: validation.valid ? [] : validation.violations.map(inFormWords),
      warnings: validation.warnings,
    };
  } catch (error) {
    if (error instanceof RangeError) return NOT_VALIDATED;
    throw error;
  }
}

/** Missing values have their own wording in the form. */
function inFormWords(violation: Violation): Violation {
  const message = optionalText(`violation.${fieldOf(violation.field)}.${violation.code}`);
  return message === undefined ? violation : { ...violation, message };
}
