import { type CurrentClient, judgeRegistration, judgeUpdate, readCapabilities } from '@svc/client-metadata';
import type { Violation } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { optionalText } from '../texts/text.js';
import { fieldOf } from './use-refusal.js';

/** What is thought of a body before it is sent. */
export interface FormValidation {
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
}

const NOT_VALIDATED: FormValidation = { violations: [], warnings: [] };

/**
 * Judges a body by the server's own rules: as an update of `current`, else as a registration. Nothing is said where the
 * server is of a version whose rules this one does not know: then it alone judges.
 */
export function validateForm(
  features: Features,
  body: object,
  current: CurrentClient | undefined,
): FormValidation {
  try {
    const capabilities = readCapabilities(features);
    const validation = current
      ? judgeUpdate(current, body, capabilities)
      : judgeRegistration(body, capabilities);
    return {
      violations: validation.valid ? [] : validation.problems.map(inFormWords),
      warnings: validation.warnings,
    };
  } catch (error) {
    if (error instanceof RangeError) return NOT_VALIDATED;
    throw error;
  }
}

/** What is missing is asked for in the words of the form; other rules speak of what was typed. */
function inFormWords(violation: Violation): Violation {
  const message = optionalText(`violation.${fieldOf(violation.field)}.${violation.code}`);
  return message === undefined ? violation : { ...violation, message };
}
