import {
  ALL_CLIENTS,
  type ClientSelector,
  formatLabel,
  narrowSelector,
  selectsAll,
  severalValued,
} from '@svc/client-metadata';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { areWithin } from './networks.js';
import { cannotRegister, invalidRestriction, restrictionNotHeld } from './token.errors.js';
import { type Scope, UNDIVIDED_SCOPES } from './scopes.js';

/** What a token is restricted to, besides its scopes and its end. */
export interface TokenRestrictions {
  /** The Clients that it reaches; null: all. */
  readonly selector: ClientSelector | null;
  /** Addresses and CIDR blocks from which it may be used; null: any. */
  readonly networks: readonly string[] | null;
  /** How many requests may use it; null: any number. */
  readonly maxUses: number | null;
  /** How many Clients developers may register with it; null: any number. */
  readonly maxRegistrations: number | null;
  /** How many on one day (UTC); null: any number. */
  readonly registrationsPerDay: number | null;
}

/** Each costs a condition in every statement. */
export const MAX_SELECTOR_LABELS = 16;

export const UNRESTRICTED: TokenRestrictions = {
  selector: null,
  networks: null,
  maxUses: null,
  maxRegistrations: null,
  registrationsPerDay: null,
};

export function isRestricted(restrictions: TokenRestrictions): boolean {
  return Object.values(restrictions).some((restriction) => restriction !== null);
}

/**
 * Restricts a new token at least as much as the token that creates it.
 *
 * @throws {RegistryError} `restriction_not_held` if it would reach more, `invalid_restriction`
 */
export function restrictedBy(
  grantor: Pick<RegistryPrincipal, 'selector' | 'networks'>,
  wanted: TokenRestrictions,
  scopes: readonly Scope[],
): TokenRestrictions {
  const selector = narrowed(grantor.selector, wanted.selector ?? ALL_CLIENTS);
  const networks = wanted.networks ?? grantor.networks ?? null;
  if (networks && grantor.networks && !areWithin(networks, grantor.networks)) {
    throw restrictionNotHeld(`your token may be used only from ${grantor.networks.join(', ')}`);
  }
  const restricted = { selector: selectsAll(selector) ? null : selector, networks };
  const undivided = scopes.find((scope) => UNDIVIDED_SCOPES.includes(scope));
  if (restricted.selector && undivided !== undefined) {
    throw invalidRestriction(
      `a token limited to some clients cannot have the scope ${undivided}, which exposes data about all clients`,
    );
  }
  assertRegisters(selector, scopes);
  const { maxUses, maxRegistrations, registrationsPerDay } = wanted;
  const limits = { maxUses, maxRegistrations, registrationsPerDay };
  if (scopes.includes('tokens:write') && Object.values(limits).some((limit) => limit !== null)) {
    throw invalidRestriction(
      'a token with max_uses, max_registrations or registrations_per_day cannot have tokens:write: it could create tokens without these limits',
    );
  }
  if ((maxRegistrations ?? registrationsPerDay) !== null && !scopes.includes('clients:register')) {
    throw invalidRestriction(
      'max_registrations and registrations_per_day require the scope clients:register',
    );
  }
  return { ...restricted, ...limits };
}

/**
 * Developers cannot choose the id of what they register nor, with an initial access token, its labels. With `clients:write`,
 * the token can also register as an administrator; with `tokens:write`, it can create tokens for one value of each label.
 *
 * @throws {RegistryError} `invalid_restriction`
 */
function assertRegisters(selector: ClientSelector, scopes: readonly Scope[]): void {
  if (!scopes.includes('clients:register') || scopes.includes('clients:write')) return;
  if (selector.clientId !== undefined) {
    throw cannotRegister(
      '/client_id',
      'with client_id, clients:register also needs clients:write: developers cannot choose the client_id of what they register',
    );
  }
  const [key] = severalValued(selector);
  if (key === undefined || scopes.includes('tokens:write')) return;
  const [value = ''] = selector.labels[key] ?? [];
  throw cannotRegister(
    '/selector',
    `with several values for ${key}, clients:register also needs clients:write or tokens:write: an initial access token is ` +
      `for one value only, such as ${formatLabel(key, value)}`,
  );
}

/** @throws {RegistryError} `restriction_not_held`, `invalid_restriction` */
function narrowed(held: ClientSelector, wanted: ClientSelector): ClientSelector {
  const selector = narrowSelector(held, wanted);
  if (!selector) throw restrictionNotHeld(`your token reaches only ${describe(held)}`);
  const labels = Object.keys(selector.labels).length;
  if (labels <= MAX_SELECTOR_LABELS) return selector;
  throw invalidRestriction(
    `a selector has at most ${MAX_SELECTOR_LABELS} labels; with those of your own token this one has ${labels}`,
  );
}

function describe({ labels, clientId }: ClientSelector): string {
  const parts = Object.entries(labels).map(([key, values]) =>
    values.map((value) => formatLabel(key, value)).join(' or '),
  );
  return [...(clientId === undefined ? [] : [`the client ${clientId}`]), ...parts].join(' and ');
}
