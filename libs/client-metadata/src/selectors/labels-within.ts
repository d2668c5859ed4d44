import { isJsonObject, memberOf, pointerTo, type Violation } from '@svc/foundation';
import { formatLabel } from '../fields/labels.js';
import type { ClientSelector } from './client-selector.js';

/** Labels that a selector selects, or why the given ones cannot become such. */
export interface LabelsWithin {
  readonly labels: unknown;
  readonly violations: readonly Violation[];
}

/**
 * Gives a Client the labels that its caller's selector requires: those left out keep their present value, or get the only
 * one that is possible. Given ones must be selected, so that no caller can take a Client out of its own reach.
 *
 * @param draft the labels as the request leaves them, before validation
 * @param given the labels in the request
 * @param current those that the Client has
 */
export function labelsWithin(
  { labels: wanted }: ClientSelector,
  draft: unknown,
  { given, current }: { readonly given: unknown; readonly current: unknown },
): LabelsWithin {
  if (!isJsonObject(draft ?? {}) || !isJsonObject(given ?? {})) return { labels: draft, violations: [] };
  const labels = new Map<string, unknown>(Object.entries(draft ?? {}));
  const violations: Violation[] = [];
  for (const [key, values] of Object.entries(wanted)) {
    const explicit = memberOf(given, key);
    const value = explicit === undefined ? (memberOf(current, key) ?? onlyOne(values)) : explicit;
    if (typeof value === 'string' && values.includes(value)) labels.set(key, value);
    else violations.push(outside(key, values));
  }
  return { labels: Object.fromEntries(labels), violations };
}

function outside(key: string, values: readonly string[]): Violation {
  const possible = values.map((value) => formatLabel(key, value)).join(' or ');
  return {
    field: pointerTo('labels', key),
    code: 'outside_token',
    message: `labels must include ${possible}: your token is restricted to such clients`,
  };
}

function onlyOne(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}
