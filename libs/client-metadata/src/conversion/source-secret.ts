import { memberOf } from '@svc/foundation';
import type { FieldRule, SourceClient } from './product-mapping.js';
import { REASONS } from './reasons.js';

/** A secret as an import takes it, or why it cannot be imported. */
export type SourceSecret =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly reason?: never }
  | { readonly reason: string; readonly fields?: never };

/** Asterisks, or a reference to a vault, that exports write instead of the secret. */
const PLACEHOLDER = /^(\*+|\$\{.*\})$/;

/** @returns undefined if the field is not the secret, or has no value */
export function secretIn(rule: FieldRule, value: unknown, source: SourceClient): SourceSecret | undefined {
  if (typeof rule !== 'object' || !('secret' in rule)) return undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  if (PLACEHOLDER.test(value)) return { reason: REASONS.masked };
  const expiresAt = expiryIn(source.get('client_secret_expires_at'));
  if (expiresAt === undefined) return { reason: REASONS.expiry };
  const isHash = rule.secret === 'hash' || (rule.secret === 'either' && value.startsWith('$'));
  return {
    fields: {
      ...(expiresAt > 0 && { client_secret_expires_at: expiresAt }),
      ...(isHash ? { client_secret_hash: value } : { client_secret: value }),
    },
  };
}

/** The field that contains the secret. */
export function secretFieldOf(fields: Readonly<Record<string, unknown>>): string {
  return 'client_secret' in fields ? 'client_secret' : 'client_secret_hash';
}

/**
 * Seconds since 1970, from those (RFC 7591) or a date (as text, or as MongoDB exports it). 0: never.
 *
 * @returns undefined if it is neither, or before 1970
 */
function expiryIn(value: unknown): number | undefined {
  if (value == null || value === '') return 0;
  if (typeof value === 'string' && /^\d{1,12}$/.test(value)) return Number(value);
  const seconds = typeof value === 'number' ? value : Math.floor(millisecondsIn(value) / 1000);
  return seconds >= 0 ? seconds : undefined;
}

/** NaN if it is not a date. `Date.parse` takes `-5` for a day of 2001. */
function millisecondsIn(value: unknown): number {
  const date = memberOf(value, '$date') ?? value;
  if (typeof date === 'string') return /^\d{4}-\d{2}-\d{2}/.test(date) ? Date.parse(date) : Number.NaN;
  const digits = memberOf(date, '$numberLong');
  return typeof digits === 'string' && /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
}
