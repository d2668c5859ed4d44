import { type Capabilities, isSupported } from '../fields/capabilities.js';
import { fieldNamed, splitName } from '../fields/localized-fields.js';
import type { DroppedField, FieldRule, ProductMapping, SourceClient } from './product-mapping.js';
import { notConfigured, REASONS } from './reasons.js';
import { secretFieldOf, secretIn } from './source-secret.js';

/** Further fields that are not imported are only counted. */
const MAX_DROPPED = 200;

/** One of our fields, and the product's fields that it comes from. */
export interface MappedField {
  readonly field: string;
  readonly from: readonly string[];
}

/** A Client in our fields, not validated yet. */
export interface MappedClient {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly mapped: readonly MappedField[];
  readonly dropped: readonly DroppedField[];
}

export interface MappingOptions {
  readonly capabilities: Capabilities;
  /** Whether its secret is imported. */
  readonly withSecrets: boolean;
}

/** Applies the rules of a product to the fields of a Client. What the registry does not support is dropped. */
export function mapFields(
  source: SourceClient,
  mapping: ProductMapping,
  { capabilities, withSecrets }: MappingOptions,
): MappedClient {
  const fields = new Map<string, unknown>();
  const origins = new Map<string, string[]>();
  const dropped: DroppedField[] = [];
  for (const [name, value] of source) {
    const rule = ruleOf(name, mapping, source);
    const secret = withSecrets ? secretIn(rule, value, source) : undefined;
    if (secret?.fields) {
      for (const [field, content] of Object.entries(secret.fields)) fields.set(field, content);
      origins.set(secretFieldOf(secret.fields), [name]);
      continue;
    }
    const target = targetOf(rule);
    const reason = secret?.reason ?? reasonToDrop(rule) ?? reasonUnsupported(target, capabilities);
    if (reason !== undefined && !isUnset(value)) dropped.push({ field: name, reason });
    if (target === undefined || reason !== undefined || value == null) continue;
    if (typeof rule === 'object' && 'copied' in rule && value !== '') fields.set(target, value);
    origins.set(target, [...(origins.get(target) ?? []), name]);
  }
  const derived = mapping.derive(source, (name) => isSupported(name, capabilities));
  for (const [name, value] of Object.entries(derived.values)) {
    if (value == null || reasonUnsupported(name, capabilities) !== undefined) fields.delete(name);
    else fields.set(name, value);
  }
  nameById(fields, origins);
  const mapped = [...fields.keys()].map((field) => ({ field, from: origins.get(field) ?? [] }));
  return { fields, mapped, dropped: limited([...dropped, ...(derived.dropped ?? [])]) };
}

/** A Client needs a name. */
function nameById(fields: Map<string, unknown>, origins: Map<string, string[]>): void {
  const id = fields.get('client_id');
  if (fields.has('client_name') || typeof id !== 'string') return;
  fields.set('client_name', id);
  origins.set('client_name', origins.get('client_id') ?? []);
}

function ruleOf(name: string, { fields, otherFields }: ProductMapping, source: SourceClient): FieldRule {
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return own ?? otherFields?.(name, source) ?? inLanguageRule(name, fields) ?? { dropped: REASONS.unknown };
}

/** A standard field by language (RFC 7591 section 2.2), if the product has the field by its standard name. */
function inLanguageRule(name: string, fields: ProductMapping['fields']): FieldRule | undefined {
  const { base, language } = splitName(name);
  const rule = language !== undefined && Object.hasOwn(fields, base) ? fields[base] : undefined;
  const isStandard = typeof rule === 'object' && 'copied' in rule && rule.copied === base;
  return isStandard && fieldNamed(name) ? { copied: name } : undefined;
}

function reasonToDrop(rule: FieldRule): string | undefined {
  if (rule === 'secret' || (typeof rule === 'object' && 'secret' in rule)) return REASONS.secret;
  return typeof rule === 'object' && 'dropped' in rule ? rule.dropped : undefined;
}

/** Configuration can switch it on. */
function reasonUnsupported(target: string | undefined, capabilities: Capabilities): string | undefined {
  if (target === undefined || !fieldNamed(target) || isSupported(target, capabilities)) return undefined;
  return notConfigured(target);
}

function targetOf(rule: FieldRule): string | undefined {
  if (typeof rule !== 'object' || 'dropped' in rule || 'secret' in rule) return undefined;
  return 'copied' in rule ? rule.copied : rule.read;
}

/** How exports spell unset values. */
const UNSET_TEXTS: ReadonlySet<string> = new Set(['', '[]', '{}', 'null', 'false', 'f', '0']);

/** A value whose loss changes nothing. */
function isUnset(value: unknown): boolean {
  if (typeof value === 'string') return UNSET_TEXTS.has(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value == null || value === false || value === 0;
}

function limited(dropped: readonly DroppedField[]): readonly DroppedField[] {
  const surplus = dropped.length - MAX_DROPPED;
  if (surplus <= 0) return dropped;
  return [...dropped.slice(0, MAX_DROPPED), { field: '', reason: `${surplus} more fields are not imported` }];
}
