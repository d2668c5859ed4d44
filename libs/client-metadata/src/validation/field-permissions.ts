import { isJsonObject, nearestName } from '@svc/foundation';
import type { RuleViolation } from '@svc/foundation';
import { type Capabilities, isSupported, supportedFields } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import type { ClientField } from '../fields/client-field.js';
import { fieldNamed, splitName } from '../fields/localized-fields.js';
import { SERVER_FIELDS } from '../fields/server-fields.js';
import { type ClientSelector, severalValued } from '../selectors/client-selector.js';
import { quote } from '../violations/violation.js';
import { carriedFieldViolation } from './carried-fields.js';
import { parseSessionExpiration } from '../fields/session-expiration.js';

/**
 * The sender of a body: the admin API rejects unknown fields, public registration ignores them (RFC 7591 section 2).
 */
export type Requester = 'admin' | 'public';

/** The kind of request whose fields are checked. */
export interface PermissionContext {
  readonly requester: Requester;
  readonly capabilities: Capabilities;
  /** The Client to change; undefined for a registration. */
  readonly current?: CurrentClient | undefined;
  readonly isCurrentSecret?: ((secret: string) => boolean) | undefined;
  /** The Clients that the caller reaches; absent: all. */
  readonly selector?: ClientSelector | undefined;
  /** Fields that may be present if they are well-formed, though they are not stored as metadata. */
  readonly carried?: ReadonlySet<string> | undefined;
  /** Maximum session_expiration that a developer may set, in seconds. */
  readonly maxSessionSeconds?: number | undefined;
  /** If false, unknown names get no suggestion. */
  readonly withHint?: boolean;
}

const SERVER_NAMES = new Map(SERVER_FIELDS.map((field) => [field.name, field]));

/**
 * Checks whether a body may contain a field, by its name; the value matters only if the permission depends on it.
 *
 * @returns undefined if allowed
 */
export function fieldViolation(
  name: string,
  value: unknown,
  occasion: PermissionContext,
): RuleViolation | undefined {
  const field = fieldNamed(name);
  if (occasion.carried?.has(name)) return carriedFieldViolation(name, value);
  if (field && !isSupported(name, occasion.capabilities)) return unsupportedViolation(name, value, occasion);
  if (field?.editable === 'registration') return registrationOnlyViolation(value, occasion);
  if (field?.editable === 'always') return publicViolation(field, value, occasion);
  if (field || SERVER_NAMES.has(name) || (occasion.current && Object.hasOwn(occasion.current, name))) {
    return serverOwnedViolation(name, value, occasion);
  }
  return occasion.requester === 'public' ? undefined : unknownFieldViolation(name, occasion);
}

/** A field that configuration switched off again keeps its value until it is removed. */
function unsupportedViolation(
  name: string,
  value: unknown,
  { requester, capabilities, current }: PermissionContext,
): RuleViolation | undefined {
  if (requester === 'public' || value == null || sameJson(value, current?.[name])) return undefined;
  const { base, language } = splitName(name);
  const message =
    language === undefined || !isSupported(base, capabilities)
      ? `${base} is not supported by this registry, whose configuration can switch it on`
      : `${name} is in a language that this registry does not support; supported: ${capabilities.languages.join(', ') || 'none'}`;
  return { code: 'field_not_supported', message };
}

function publicViolation(
  { name, public: open }: ClientField,
  value: unknown,
  occasion: PermissionContext,
): RuleViolation | undefined {
  const { requester, current, maxSessionSeconds = Number.POSITIVE_INFINITY } = occasion;
  if (requester === 'admin' || value == null) return undefined;
  if (name === 'session_expiration' && value !== current?.[name])
    return sessionViolation(value, maxSessionSeconds);
  if (name === 'labels') return labelsViolation(value, occasion);
  if (open === true) return undefined;
  if (open === false) return { code: 'not_public', message: `only an administrator can set ${name}` };
  if (typeof value !== 'string' || open.includes(value) || value === current?.[name]) return undefined;
  return {
    code: 'not_public',
    message: `only an administrator can set ${name} to anything but ${open.join(' or ')}`,
  };
}

/** Developers choose between the values of a label that their token requires, if it leaves a choice, but set no others. */
function labelsViolation(
  value: unknown,
  { current, selector }: PermissionContext,
): RuleViolation | undefined {
  const choosable = current || !selector ? [] : severalValued(selector);
  const isChoice = isJsonObject(value) && Object.keys(value).every((key) => choosable.includes(key));
  if (choosable.length > 0 && isChoice) return undefined;
  const message = `only an administrator can set labels${choosable.length > 0 ? ` other than ${choosable.join(' and ')}` : ''}`;
  return { code: 'not_public', message };
}

/** Session length affects the server's security, so developers have a limit. */
function sessionViolation(value: unknown, maxSeconds: number): RuleViolation | undefined {
  const seconds = parseSessionExpiration(value);
  if (typeof seconds !== 'number' || seconds <= maxSeconds) return undefined;
  const message = `only an administrator can set session_expiration to more than ${maxSeconds} seconds`;
  return { code: 'not_public', message };
}

function registrationOnlyViolation(
  value: unknown,
  { requester, current }: PermissionContext,
): RuleViolation | undefined {
  if (value == null || value === current?.client_id) return undefined;
  if (current) {
    return { code: 'registration_only', message: 'preferred_client_id can be set only at registration' };
  }
  if (requester === 'admin') return undefined;
  return { code: 'not_public', message: 'only an administrator can set preferred_client_id' };
}

function serverOwnedViolation(
  name: string,
  value: unknown,
  occasion: PermissionContext,
): RuleViolation | undefined {
  const { requester, current } = occasion;
  if (current && requester === 'public' && SERVER_NAMES.get(name)?.forbiddenInManagement) {
    return { code: 'server_owned', message: `${name} must not be sent in an update (RFC 7592 section 2.2)` };
  }
  if (current && SERVER_NAMES.get(name)?.volatile)
    return requester === 'admin' ? carriedFieldViolation(name, value) : undefined;
  if (isPresentValue(name, value, occasion)) return undefined;
  const refusal = fieldNamed(name)?.refusal ?? `${name} is set by the registry`;
  const remedy =
    name === 'client_secret'
      ? '; this one is not valid, or has expired: leave it out, or send a valid one'
      : '; leave it out, or send its present value';
  return { code: 'server_owned', message: current ? `${refusal}${remedy}` : refusal };
}

/** Whether the value equals the stored one; for a secret, which is stored hashed, only the caller can tell. */
function isPresentValue(
  name: string,
  value: unknown,
  { current, isCurrentSecret }: PermissionContext,
): boolean {
  if (name === 'client_secret' && current) {
    return typeof value === 'string' && isCurrentSecret !== undefined && isCurrentSecret(value);
  }
  return sameJson(value ?? undefined, current?.[name] ?? undefined);
}

function unknownFieldViolation(
  name: string,
  { capabilities, withHint = true }: PermissionContext,
): RuleViolation {
  const names = () => supportedFields(capabilities).map((field) => field.name);
  const meant = withHint ? nearestName(name, names()) : undefined;
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { code: 'unknown_field', message: `${quote(name)} is not a field of a client${hint}` };
}

/** True if two JSON values are equal, regardless of property order. */
function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [membersA, membersB] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  if (membersA.size !== membersB.size) return false;
  return [...membersA].every(([name, value]) => membersB.has(name) && sameJson(value, membersB.get(name)));
}
