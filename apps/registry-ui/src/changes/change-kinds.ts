import type { IconName } from '../elements/icon.js';
import type { StatusKind } from '../elements/status-badge.js';
import { text, optionalText } from '../texts/text.js';

/** Who made a change. */
export interface ChangeActor {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** Where the address lies, in the columns of the registry's lookup file; in the history, where there is such a file. */
  readonly zone?: Readonly<Record<string, unknown>>;
}

/** What the feed and the history say of every change. */
export interface Change {
  readonly seq: number;
  readonly client_id: string;
  readonly kind: string;
  /** RFC 3339. */
  readonly at: string;
  readonly actor: ChangeActor;
}

/** How a kind of change is shown. */
export interface ChangeLook {
  readonly label: string;
  readonly icon: IconName;
  readonly verdict: StatusKind;
}

const LOOKS: Readonly<Record<string, Omit<ChangeLook, 'label'>>> = {
  registered: { icon: 'plus', verdict: 'good' },
  updated: { icon: 'pencil', verdict: 'calm' },
  deleted: { icon: 'trash', verdict: 'bad' },
  enabled: { icon: 'check', verdict: 'good' },
  disabled: { icon: 'pause', verdict: 'warn' },
  secret_rotated: { icon: 'key', verdict: 'calm' },
};

/** A kind that this version has never heard of is shown by its name. */
export function lookOf(kind: string): ChangeLook {
  const look = LOOKS[kind] ?? { icon: 'info', verdict: 'calm' };
  return { ...look, label: optionalText(`change.${kind}`) ?? kind };
}

export const CHANGE_KINDS: readonly string[] = Object.keys(LOOKS);

/** Who, for people. */
export function formatActor({ name, address, zone }: ChangeActor): string {
  const place = zone && formatZone(zone);
  return place === undefined || place === ''
    ? text('change.by', { name, address })
    : text('change.byIn', { name, address, place });
}

/** The columns with a value, in their order; those of a nested record too. `-` stands for no value. */
function formatZone(zone: Readonly<Record<string, unknown>>): string {
  return valuesIn(zone)
    .filter((value) => value !== '' && value !== '-')
    .join(', ');
}

function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  return value === null || value === undefined ? [] : [String(value)];
}
