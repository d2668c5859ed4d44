import { type Capabilities, DEVELOPER_SESSION_SECONDS, isSupported } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import type { ClientField } from '../fields/client-field.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { SERVER_FIELDS } from '../fields/server-fields.js';
import { ALL_CLIENTS, type ClientSelector } from '../selectors/client-selector.js';
import { labelsWithin } from '../selectors/labels-within.js';
import { limitViolations, pointerTo, type Violation } from '@svc/foundation';
import { quote } from '../violations/violation.js';
import { EDITABLE_FIELDS, withLanguages } from '../fields/localized-fields.js';
import {
  validateClient,
  type ClientDraft,
  type ClientValidationOptions,
  type ValidationResult,
} from './validate-client.js';
import { IMPORTED_SECRET_FIELDS, secretExpiryViolation } from './carried-fields.js';
import { fieldViolation, type Requester, type PermissionContext } from './field-permissions.js';

export interface ValidationOptions {
  /** Default `admin`. */
  readonly requester?: Requester;
  /** The Clients that the caller reaches: the result is one of them. Default all. */
  readonly selector?: ClientSelector;
}

export interface UpdateOptions extends ValidationOptions {
  /** Checks whether a client_secret in the body is valid; if absent, the body must not contain one. */
  readonly isCurrentSecret?: (secret: string) => boolean;
}

export interface ImportOptions extends Pick<ValidationOptions, 'selector'> {
  /** The existing Client with the record's client_id, if any, whose metadata is replaced. */
  readonly current?: CurrentClient;
  /** Additional server-owned fields that exports contain and imports ignore. */
  readonly carried?: readonly string[];
}

/** Limits suggestions, which are a hundred times as expensive as the other checks of a name. */
const MAX_HINTS = 20;

const NOT_AN_OBJECT: Violation = { field: '', code: 'type', message: 'a client must be a JSON object' };

/** Validates a registration. Omitted or null fields get their defaults. */
export function validateRegistration(
  body: unknown,
  capabilities: Capabilities,
  options: ValidationOptions & ClientValidationOptions = {},
): ValidationResult {
  const given = membersOf(body);
  if (!given) return refused([NOT_AN_OBJECT]);
  const violations = memberViolations(given, {
    requester: options.requester ?? 'admin',
    capabilities,
    selector: options.selector,
    maxSessionSeconds: maxSessionOf(capabilities),
  });
  // Those of a developer are ignored (RFC 7591 section 2).
  const draft = new Map([...given].filter(([name]) => isSupported(name, capabilities)));
  violations.push(...restrict(draft, given, options), ...otherClient(draft, options));
  return combined(violations, validateClient(draft, capabilities, options));
}

/** Validates a PUT, which replaces all editable fields; omitted or null fields get their defaults. */
export function validateUpdate(
  current: CurrentClient,
  body: unknown,
  capabilities: Capabilities,
  options: UpdateOptions = {},
): ValidationResult {
  const given = membersOf(body);
  if (!given) return refused([NOT_AN_OBJECT]);
  const { requester = 'admin', isCurrentSecret } = options;
  const maxSessionSeconds = maxSessionOf(capabilities);
  const violations = memberViolations(given, {
    ...{ requester, capabilities, current, isCurrentSecret, maxSessionSeconds },
  });
  if (requester === 'public' && !given.has('client_id')) {
    const message = 'client_id must be sent in an update (RFC 7592 section 2.2)';
    violations.push({ field: pointerTo('client_id'), code: 'required', message });
  }
  const fields = withLanguages(EDITABLE_FIELDS, [
    ...Object.keys(current),
    ...knownNames(given, capabilities, current),
  ]);
  const isOff = ({ name }: ClientField) => !isSupported(name, capabilities);
  const kept =
    requester === 'public' ? fields.filter((field) => isOff(field) || isKept(field, given, current)) : [];
  const replaced = fields.filter((field) => !kept.includes(field));
  const draft = merged(valuesOf(current, kept), valuesOf(given, replaced));
  violations.push(...restrict(draft, requester === 'public' ? NO_MEMBERS : given, options, current));
  const result = validateClient(draft, capabilities);
  if (requester === 'public') violations.push(...looselyMatched(current, result));
  return combined(violations, result);
}

/**
 * An administrator's choice of looser matching covers only the URIs present at that time, not those a developer adds.
 */
function looselyMatched(current: CurrentClient, result: ValidationResult): Violation[] {
  if (!result.valid) return [];
  const { redirect_uris: uris, redirect_uri_validation_method: method } = result.metadata;
  if (method === 'full_match') return [];
  const known = new Set(
    Array.isArray(current['redirect_uris']) ? (current['redirect_uris'] as unknown[]) : [],
  );
  return uris.flatMap((uri, index) => {
    if (known.has(uri)) return [];
    const message = `${quote(uri)} is new: only an administrator can add redirect URIs unless redirect_uri_validation_method is full_match`;
    return [{ field: pointerTo('redirect_uris', index), code: 'not_public', message }];
  });
}

function maxSessionOf({ developer_session_seconds: seconds }: Capabilities): number {
  return seconds ?? DEVELOPER_SESSION_SECONDS;
}

/**
 * A developer's update keeps values that only an administrator can set, unless it sets a value allowed to developers.
 */
function isKept({ name, public: open }: ClientField, given: ClientDraft, current: CurrentClient): boolean {
  if (typeof open === 'boolean') return !open;
  const value = current[name];
  return given.get(name) == null && typeof value === 'string' && !open.includes(value);
}

/** Validates a JSON Merge Patch (RFC 7396). Omitted fields are unchanged; null resets a field to its default. */
export function validatePatch(
  current: CurrentClient,
  patch: unknown,
  capabilities: Capabilities,
  options: Omit<UpdateOptions, 'requester'> = {},
): ValidationResult {
  const given = membersOf(patch);
  if (!given) return refused([NOT_AN_OBJECT]);
  const violations = memberViolations(given, {
    requester: 'admin',
    capabilities,
    current,
    isCurrentSecret: options.isCurrentSecret,
  });
  const draft = merged(
    valuesOf(current, withLanguages(EDITABLE_FIELDS, Object.keys(current))),
    patchedValues(current, given, capabilities),
  );
  violations.push(...restrict(draft, given, options, current));
  return combined(violations, validateClient(draft, capabilities));
}

/**
 * Validates a record of an export or declaration: a complete Client with its client_id, to be registered or, with
 * `current`, replaced. Other server-owned fields are ignored, so that exports can be imported; a client_secret is
 * rejected.
 *
 * @returns the result, with the record's client_id as `preferredClientId` unless it replaces a Client
 */
export function validateImport(
  record: unknown,
  capabilities: Capabilities,
  options: ImportOptions = {},
): ValidationResult {
  const given = membersOf(record);
  if (!given) return refused([NOT_AN_OBJECT]);
  const { current } = options;
  const carried = options.carried ? new Set([...CARRIED, ...options.carried]) : CARRIED;
  const violations = memberViolations(given, { requester: 'admin', capabilities, current, carried });
  const hasSecret = IMPORTED_SECRET_FIELDS.some((name) => given.get(name) != null);
  const expiry = hasSecret ? secretExpiryViolation(given.get('client_secret_expires_at')) : undefined;
  if (expiry) violations.push(expiry);
  const clientId = given.get('client_id') ?? undefined;
  const other = current?.client_id ?? given.get('preferred_client_id') ?? clientId;
  if (clientId !== undefined && clientId !== other) {
    const message = `client_id is not the same as ${current ? 'that of the client to replace' : 'preferred_client_id'}`;
    violations.push({ field: pointerTo('client_id'), code: 'mismatch', message });
  }
  const names = knownNames(given, capabilities, current);
  const draft = valuesOf(given, withLanguages(EDITABLE_FIELDS, names));
  if (!current) draft.set('preferred_client_id', other);
  violations.push(...restrict(draft, given, options, current), ...otherClient(draft, options, current));
  const result = validateClient(draft, capabilities);
  const outcome = combined(violations, result);
  return clientId === undefined ? outcome : named(outcome);
}

/** Server-owned fields that exports contain and imports ignore: all but secrets. */
const CARRIED: ReadonlySet<string> = new Set(
  [
    ...CLIENT_FIELDS.filter((field) => field.editable === 'never' && field.name !== 'client_secret'),
    ...SERVER_FIELDS,
  ].map((field) => field.name),
);

/** A JSON object's own properties, so that no name reaches a prototype; undefined for any other value. */
function membersOf(body: unknown): Map<string, unknown> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return new Map(Object.entries(body));
}

function memberViolations(given: ClientDraft, occasion: PermissionContext): Violation[] {
  const violations: Violation[] = [];
  for (const [name, value] of given) {
    const violation = fieldViolation(name, value, { ...occasion, withHint: violations.length < MAX_HINTS });
    if (violation) violations.push({ field: pointerTo(name), ...violation });
  }
  return violations;
}

/** Without names that are refused or ignored anyway: a body may have tens of thousands, in as many languages. */
function knownNames(given: ClientDraft, capabilities: Capabilities, current: object = {}): string[] {
  return [...given.keys()].filter((name) => isSupported(name, capabilities) || Object.hasOwn(current, name));
}

function valuesOf(
  source: ClientDraft | CurrentClient,
  fields: readonly { readonly name: string }[],
): Map<string, unknown> {
  const members = source instanceof Map ? (source as ClientDraft) : new Map(Object.entries(source));
  return new Map(fields.flatMap(({ name }) => (members.has(name) ? [[name, members.get(name)]] : [])));
}

/** The given values; maps are merged entry by entry, where null removes an entry (RFC 7396 section 2). */
function patchedValues(current: CurrentClient, given: ClientDraft, capabilities: Capabilities): ClientDraft {
  const names = knownNames(given, capabilities, current);
  const values = valuesOf(given, withLanguages(EDITABLE_FIELDS, names));
  for (const { name, type } of EDITABLE_FIELDS) {
    const [patch, before] = [membersOf(values.get(name)), membersOf(current[name])];
    if (type !== 'map' || !patch) continue;
    const entries = [...merged(before ?? new Map(), patch)].filter(([, value]) => value !== null);
    values.set(name, Object.fromEntries(entries));
  }
  return values;
}

const NO_MEMBERS: ClientDraft = new Map();

/** Adds the labels that the caller's selector requires to the draft. @returns violations if that is impossible */
function restrict(
  draft: Map<string, unknown>,
  given: ClientDraft,
  { selector = ALL_CLIENTS }: Pick<ValidationOptions, 'selector'>,
  current?: CurrentClient,
): readonly Violation[] {
  if (Object.keys(selector.labels).length === 0) return [];
  const labels = { given: given.get('labels'), current: current?.['labels'] };
  const within = labelsWithin(selector, draft.get('labels'), labels);
  draft.set('labels', within.labels);
  return within.violations;
}

/** A caller that is restricted to one Client can register no other. */
function otherClient(
  draft: ClientDraft,
  { selector = ALL_CLIENTS }: Pick<ValidationOptions, 'selector'>,
  current?: CurrentClient,
): Violation[] {
  const { clientId: only } = selector;
  if (only === undefined || (current?.client_id ?? draft.get('preferred_client_id')) === only) return [];
  const message = `preferred_client_id must be ${quote(only)}: your token is restricted to this client`;
  return [{ field: pointerTo('preferred_client_id'), code: 'outside_token', message }];
}

function merged(base: ClientDraft, over: ClientDraft): Map<string, unknown> {
  return new Map([...base, ...over]);
}

/** Reports the id's violations under the name that records use. */
function named(result: ValidationResult): ValidationResult {
  if (result.valid) return result;
  const violations = result.violations.map((violation) =>
    violation.field === '/preferred_client_id'
      ? {
          ...violation,
          field: '/client_id',
          message: violation.message.replace('preferred_client_id', 'client_id'),
        }
      : violation,
  );
  return { ...result, violations };
}

function combined(violations: readonly Violation[], result: ValidationResult): ValidationResult {
  if (result.valid) return violations.length > 0 ? refused(violations) : result;
  return refused([...violations, ...result.violations]);
}

function refused(violations: readonly Violation[]): ValidationResult {
  return { valid: false, violations: limitViolations(violations), warnings: [] };
}
