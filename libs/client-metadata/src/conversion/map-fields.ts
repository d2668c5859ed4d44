import type { DroppedField, FieldRule, ProductMapping, SourceClient } from './product-mapping.js';
import { REASONS } from './reasons.js';
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

/** Applies the rules of a product to the fields of a Client. @param withSecrets whether its secret is imported */
export function mapFields(source: SourceClient, mapping: ProductMapping, withSecrets = false): MappedClient {
  const fields = new Map<string, unknown>();
  const origins = new Map<string, string[]>();
  const dropped: DroppedField[] = [];
  for (const [name, value] of source) {
    const rule = ruleOf(name, mapping);
    const secret = withSecrets ? secretIn(rule, value, source) : undefined;
    if (secret?.fields) {
      for (const [field, content] of Object.entries(secret.fields)) fields.set(field, content);
      origins.set(secretFieldOf(secret.fields), [name]);
      continue;
    }
    const reason = secret?.reason ?? reasonToDrop(rule);
    if (reason !== undefined && !isUnset(value)) dropped.push({ field: name, reason });
    const target = targetOf(rule);
    if (target === undefined || value == null) continue;
    if (typeof rule === 'object' && 'copied' in rule && value !== '') fields.set(target, value);
    origins.set(target, [...(origins.get(target) ?? []), name]);
  }
  const derived = mapping.derive(source);
  for (const [name, value] of Object.entries(derived.values)) {
    if (value == null) fields.delete(name);
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

function ruleOf(name: string, { fields, otherFields }: ProductMapping): FieldRule {
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return own ?? otherFields?.(name) ?? { dropped: REASONS.unknown };
}

function reasonToDrop(rule: FieldRule): string | undefined {
  if (rule === 'secret' || (typeof rule === 'object' && 'secret' in rule)) return REASONS.secret;
  return typeof rule === 'object' && 'dropped' in rule ? rule.dropped : undefined;
}

function targetOf(rule: FieldRule): string | undefined {
  if (typeof rule !== 'object' || 'dropped' in rule || 'secret' in rule) return undefined;
  return 'copied' in rule ? rule.copied : rule.read;
}

/** Texts that exports write for unset values. */
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
