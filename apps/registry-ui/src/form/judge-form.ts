import { type CurrentClient, judgeRegistration, judgeUpdate, readCapabilities } from '@svc/client-metadata';
import type { FieldProblem } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { textIfAny } from '../texts/text.js';
import { fieldOf } from './use-refusal.js';

/** What is thought of a body before it is sent. */
export interface FormJudgement {
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

const NOTHING_SAID: FormJudgement = { problems: [], warnings: [] };

/**
 * Judges a body by the server's own rules: as an update of `current`, else as a registration. Nothing is said where the
 * server is of a version whose rules this one does not know: then it alone judges.
 */
export function judgeForm(
  features: Features,
  body: object,
  current: CurrentClient | undefined,
): FormJudgement {
  try {
    const capabilities = readCapabilities(features);
    const judgement = current
      ? judgeUpdate(current, body, capabilities)
      : judgeRegistration(body, capabilities);
    return {
      problems: judgement.valid ? [] : judgement.problems.map(forPeople),
      warnings: judgement.warnings,
    };
  } catch (error) {
    if (error instanceof RangeError) return NOTHING_SAID;
    throw error;
  }
}

/** What is missing is asked for in the words of the form; other rules speak of what was typed. */
function forPeople(problem: FieldProblem): FieldProblem {
  const message = textIfAny(`problem.${fieldOf(problem.field)}.${problem.code}`);
  return message === undefined ? problem : { ...problem, message };
}
