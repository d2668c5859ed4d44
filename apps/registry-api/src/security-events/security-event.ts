import type { Caller } from '../http/current-caller.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';

/** What is on record. */
export const EVENT_KINDS = [
  'token_created',
  'token_first_used',
  'token_revoked',
  'token_expired',
  'token_refused',
  'signed_in',
  'credential_refused',
  'settings_changed',
  'client_registered',
  'client_approved',
  'pending_client_deleted',
  'registration_refused',
  'registration_token_created',
  'registration_token_renewed',
  'registration_token_revoked',
  'registration_token_expired',
  'unused_client_disabled',
  'unused_client_deleted',
  'deleted_client_purged',
  'secret_rotated',
  'clients_exported',
  'clients_imported',
  'record_broken',
  'record_unverified',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Where an actor's id and name are from, besides an issuer, which is named by its URL. */
export const SOURCES = {
  /** An API token of this registry. */
  token: 'token',
  /** The registration access token of a Client. */
  registration: 'registration',
  /** The command line of the registry. */
  shell: 'shell',
  /** The registry itself. */
  registry: 'registry',
  /** Callers that are not known. */
  none: 'none',
  /** More callers than are recorded one by one. */
  several: 'several',
} as const;

/** Who did it. Names are chosen by others: a name identifies its bearer only together with the source. */
export interface EventActor {
  readonly id: string;
  readonly name: string;
  /** One of `SOURCES`, or the URL of an issuer. */
  readonly source: string;
  /** Empty if there was no request. */
  readonly address: string;
}

/** An event to be stored. Never contains a secret. */
export interface SecurityEvent {
  readonly kind: EventKind;
  readonly actor: EventActor;
  /** What it was done to. */
  readonly subject?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Now if absent. */
  readonly at?: Date;
}

export const REGISTRY: EventActor = {
  id: 'registry',
  name: 'registry',
  source: SOURCES.registry,
  address: '',
};

export const SHELL: EventActor = { id: 'shell', name: 'registry-api', source: SOURCES.shell, address: '' };

export function unknownCaller(address: string): EventActor {
  return { id: '', name: '', source: SOURCES.none, address };
}

/** Ids that are not those of tokens begin with these. */
const OWN_SOURCES = [
  ['registration:', SOURCES.registration],
  ['anonymous', SOURCES.none],
  ['registry', SOURCES.registry],
] as const;

/** The holder of a verified token, or a caller without one where none is needed. */
export function actorOf(
  { id, name, issuer }: Pick<Caller | RegistryPrincipal, 'id' | 'name' | 'issuer'>,
  address: string,
): EventActor {
  const own = OWN_SOURCES.find(([prefix]) => id.startsWith(prefix))?.[1] ?? SOURCES.token;
  return { id, name, source: issuer ?? own, address };
}
