import { text } from '../texts/tokens.js';
import { reachOf } from './reach.js';
import type { NewToken, TokenDocument } from './tokens.js';

/** What a token is restricted to, as typed; blank: not restricted. */
export interface RestrictionInputs {
  /** Labels as `key:value`, one per line; the values of a repeated key are alternatives. */
  readonly selector: string;
  readonly client_id: string;
  /** Addresses and CIDR blocks, one per line. */
  readonly networks: string;
  readonly max_uses: string;
  readonly max_registrations: string;
  readonly registrations_per_day: string;
}

export const NO_RESTRICTIONS: RestrictionInputs = {
  selector: '',
  client_id: '',
  networks: '',
  max_uses: '',
  max_registrations: '',
  registrations_per_day: '',
};

/** Those that count; the last two restrict registrations only. */
export const COUNTS = ['max_uses', 'max_registrations', 'registrations_per_day'] as const;

type Restrictions = Pick<NewToken, keyof RestrictionInputs>;

type Violations = Partial<Record<keyof RestrictionInputs, string>>;

/** Inputs that would not restrict the token as they are meant to. */
export function restrictionViolations(inputs: RestrictionInputs): Violations {
  const violations: Violations = {};
  if (linesOf(inputs.selector).some((line) => !/^[^:]+:./.test(line)))
    violations.selector = text('form.entry.map');
  for (const name of COUNTS) {
    if (!/^\d*$/.test(inputs[name].trim())) violations[name] = text('tokens.count.invalid');
  }
  return violations;
}

/** The members of the request for inputs without violations. */
export function toRestrictions(inputs: RestrictionInputs): Restrictions {
  const [selector, networks] = [selectorOf(linesOf(inputs.selector)), linesOf(inputs.networks)];
  const clientId = inputs.client_id.trim();
  const counts = COUNTS.flatMap((name) => {
    const typed = inputs[name].trim();
    return typed === '' ? [] : [[name, Number(typed)]];
  });
  return {
    ...(Object.keys(selector).length > 0 && { selector }),
    ...(clientId !== '' && { client_id: clientId }),
    ...(networks.length > 0 && { networks }),
    ...(Object.fromEntries(counts) as Pick<Restrictions, (typeof COUNTS)[number]>),
  };
}

/** What a token is restricted to, one restriction each. */
export function restrictionsOf(token: TokenDocument): string[] {
  const { networks, max_uses: maxUses, uses = 0, registrations_per_day: perDay } = token;
  const { max_registrations: most } = token;
  return [
    ...(token.client_id !== undefined || token.selector ? [reachOf(token)] : []),
    ...(networks ? [text('tokens.from', { networks: networks.join(', ') })] : []),
    ...(maxUses !== undefined ? [text('tokens.uses', { uses, count: maxUses })] : []),
    ...(most !== undefined ? [text('tokens.registrations', { count: most })] : []),
    ...(perDay !== undefined ? [text('tokens.registrationsPerDay', { count: perDay })] : []),
  ];
}

function linesOf(typed: string): string[] {
  const lines = typed.split('\n').map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== '');
}

function selectorOf(lines: readonly string[]): Record<string, string[]> {
  const labels = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [key, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    labels.set(key, [...(labels.get(key) ?? []), value]);
  }
  return Object.fromEntries(labels);
}
