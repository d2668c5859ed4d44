import { hash } from 'node:crypto';
import type { ClientUse, UsageRow } from '@svc/client-metadata';

/** A row with what identifies it in the table of counts, apart from its Client. */
export interface KeyedRow extends UsageRow {
  readonly period: string;
  readonly key: string;
}

/** Equal uses of one Client on one day become one row. */
export function keyedRows(rows: readonly UsageRow[]): KeyedRow[] {
  const merged = new Map<string, KeyedRow>();
  for (const row of rows) {
    const keyed = { ...row, period: row.last_at.slice(0, 'YYYY-MM-DD'.length), key: usageKey(row.use) };
    const id = `${keyed.key} ${keyed.period} ${keyed.client_id}`;
    const known = merged.get(id);
    merged.set(id, known ? merge(known, keyed) : keyed);
  }
  return [...merged.values()];
}

function merge(a: KeyedRow, b: KeyedRow): KeyedRow {
  return {
    ...a,
    count: a.count + b.count,
    first_at: Date.parse(a.first_at) <= Date.parse(b.first_at) ? a.first_at : b.first_at,
    last_at: later(a.last_at, b.last_at),
  };
}

/** `sha256(convert_to(use::text, 'UTF8'))` of PostgreSQL, in hex: computed here, because there it costs more than the update. */
export function usageKey(use: ClientUse): string {
  return hash('sha256', jsonbText(use), 'hex');
}

/** As PostgreSQL writes a jsonb object without nested ones: shorter keys first. */
function jsonbText(use: ClientUse): string {
  const members = Object.entries(use)
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `{${members.join(', ')}}`;
}

/** Last uses of a Client among the rows of a batch. */
export interface LastUse {
  readonly client_id: string;
  used_at: string | null;
  refused_at: string | null;
}

/** One for each Client. */
export function lastUses(rows: readonly UsageRow[]): LastUse[] {
  const uses = new Map<string, LastUse>();
  for (const { client_id, use, last_at: at } of rows) {
    const last = uses.get(client_id) ?? { client_id, used_at: null, refused_at: null };
    const column = use.refusal === undefined ? 'used_at' : 'refused_at';
    last[column] = last[column] === null ? at : later(last[column], at);
    uses.set(client_id, last);
  }
  return [...uses.values()];
}

function later(a: string, b: string): string {
  return Date.parse(a) >= Date.parse(b) ? a : b;
}
