import type { Schema } from '@svc/registry-contract';
import type { IconName } from '../elements/icon.js';
import type { StatusKind } from '../elements/status-badge.js';
import { optionalText, text } from '../texts/changes.js';

/** An actor; in histories, with the location of the address, in the columns of the registry's lookup file. */
type ChangeActor = Schema<'LocatedActor'>;

/** What the feed and histories have in common. */
export type Change = Omit<Schema<'HistoryEntry'>, 'changed'>;

export interface ChangeLook {
  readonly label: string;
  readonly icon: IconName;
  readonly verdict: StatusKind;
}

const LOOKS: Readonly<Record<string, Omit<ChangeLook, 'label'>>> = {
  registered: { icon: 'plus', verdict: 'good' },
  updated: { icon: 'pencil', verdict: 'calm' },
  deleted: { icon: 'trash', verdict: 'bad' },
  restored: { icon: 'undo', verdict: 'warn' },
  enabled: { icon: 'check', verdict: 'good' },
  disabled: { icon: 'pause', verdict: 'warn' },
  secret_rotated: { icon: 'key', verdict: 'calm' },
  secret_expiring: { icon: 'clock', verdict: 'warn' },
};

/** A kind unknown to this version is shown by name. */
export function lookOf(kind: string): ChangeLook {
  const look = LOOKS[kind] ?? { icon: 'info', verdict: 'calm' };
  return { ...look, label: optionalText(`change.${kind}`) ?? kind };
}

export const CHANGE_KINDS: readonly string[] = Object.keys(LOOKS);

/** Whether the registry itself made a change, such as the removal of a redirect URI at its end. */
export function isRegistry({ id }: ChangeActor): boolean {
  return id === 'registry';
}

/** The registry's name says what it did. */
export function formatActor(actor: ChangeActor): string {
  const { id, name, address, zone } = actor;
  if (isRegistry(actor))
    return name === id ? text('change.byRegistry') : text('change.byRegistryFor', { name });
  if (address === '') return text('change.byName', { name });
  const place = zone && formatZone(zone);
  return place === undefined || place === ''
    ? text('change.by', { name, address })
    : text('change.byIn', { name, address, place });
}

/** The non-empty values, including nested ones, in order. `-` means no value. */
function formatZone(zone: Readonly<Record<string, unknown>>): string {
  return valuesIn(zone)
    .filter((value) => value !== '' && value !== '-')
    .join(', ');
}

function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  return value === null || value === undefined ? [] : [String(value)];
}
