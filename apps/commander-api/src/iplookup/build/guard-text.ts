import { type BuildSummary, describeGuard, type LookupGuardError } from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';

/** The message for a build stopped by guards, with the remedy. */
export function guardRefusal(error: LookupGuardError): CommanderError {
  const remedy = error.hasFormer
    ? 'the previous lookup was kept; pass --force to replace it anyway'
    : 'no lookup was written; pass --force to write it anyway';
  return new CommanderError('guard_failed', [...error.message.split('\n'), remedy], { cause: error });
}

/** The guards of a build as lines of its summary. */
export function guardText({ guards, forcedBy }: BuildSummary): string[] {
  const passed = guards.filter((outcome) => outcome.passed).map((outcome) => describeGuard(outcome));
  const lines = passed.map((line, index) => `${index === 0 ? 'guards:  ' : '         '} ${line}`);
  return forcedBy === undefined ? lines : [...lines, `forced:   by ${forcedBy}`];
}

/** The failed guards, if the former lookup was replaced anyway. */
export function guardNotes({
  guards = [],
  forcedBy,
}: Partial<Pick<BuildSummary, 'guards' | 'forcedBy'>>): string[] {
  const failed = guards.filter(({ passed }) => !passed);
  return failed.map((outcome) => `warning: forced by ${forcedBy}: ${describeGuard(outcome)}`);
}
