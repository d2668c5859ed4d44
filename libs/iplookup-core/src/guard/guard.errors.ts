import {
  formatMessage,
  type OptionFormatter,
  type OptionMessage,
  optionMessage,
} from '../messages/option-message.js';
import type { GuardOutcome } from './guard-options.js';

/** A new lookup fails guards; the former one remains, if there is one. */
export class LookupGuardError extends Error {
  override readonly name = 'LookupGuardError';

  /**
   * @param lookup its name
   * @param failed at least one
   * @param hasFormer true if there is a lookup that it would have replaced
   */
  constructor(
    readonly lookup: string,
    readonly failed: readonly GuardOutcome[],
    readonly hasFormer: boolean,
  ) {
    const guards = failed.length === 1 ? 'a guard' : `${failed.length} guards`;
    const lines = failed.map((outcome) => formatMessage(guardMessage(outcome)));
    super([`the new lookup ${lookup} fails ${guards}:`, ...lines].join('\n'));
  }
}

/** What a guard found, after its option. */
export function guardMessage({ guard, limit, found }: GuardOutcome): OptionMessage {
  const option = limit === undefined ? { option: guard } : { option: guard, value: limit };
  return optionMessage`${option}: ${found}`;
}

/** The same as text. */
export function describeGuard(outcome: GuardOutcome, formatOption?: OptionFormatter): string {
  return formatMessage(guardMessage(outcome), formatOption);
}
