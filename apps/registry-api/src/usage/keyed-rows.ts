import { hash } from 'node:crypto';
import type { ClientUse, UsageRow } from '@svc/client-metadata';

/** A row and its key in the table of counts, apart from the Client. */
export interface KeyedRow extends UsageRow {
  readonly period: string;
  readonly key: string;
}

/** @param rows no two alike */
export function keyedRows(rows: readonly UsageRow[]): KeyedRow[] {
  return rows.map((row) => ({ ...row, period: dayOf(row.last_at), key: usageKey(row.use) }));
}

/** Equal uses of one Client on one day become one row. */
export function mergeAlike(rows: readonly UsageRow[]): UsageRow[] {
  const merged = new Map<string, UsageRow>();
  for (const row of rows) {
    const id = `${usageKey(row.use)} ${dayOf(row.last_at)} ${row.client_id}`;
    const known = merged.get(id);
    merged.set(id, known ? merge(known, row) : row);
  }
  return [...merged.values()];
}

const dayOf = (time: string) => time.slice(0, 'YYYY-MM-DD'.length);

function merge(a: UsageRow, b: UsageRow): UsageRow {
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

type Member = ClientUse extends infer Use ? (Use extends ClientUse ? keyof Use : never) : never;

const MEMBERS: Readonly<Record<Member, true>> = {
  ...{ kind: true, refusal: true, redirect_uri: true, match: true, origin: true, difference: true },
  ...{ is_clean: true, pkce: true, response_type: true, secret: true, others: true },
};

/** In the order of jsonb: shorter ones first. */
const ORDERED_MEMBERS = (Object.keys(MEMBERS) as Member[]).sort(
  (a, b) => a.length - b.length || (a < b ? -1 : 1),
);

/** As PostgreSQL writes a jsonb object without nested ones. */
function jsonbText(use: Partial<Readonly<Record<Member, unknown>>>): string {
  let text = '';
  for (const name of ORDERED_MEMBERS) {
    const value = use[name];
    if (value !== undefined) text += `${text && ', '}"${name}": ${JSON.stringify(value)}`;
  }
  return `{${text}}`;
}

/** Last uses of a Client among the rows of a batch. */
export interface LastUse {
  readonly client_id: string;
  readonly client_created_at: string | undefined;
  used_at: string | null;
  refused_at: string | null;
}

/** One for each Client, and each former one with the same id. */
export function lastUses(rows: readonly UsageRow[]): LastUse[] {
  const uses = new Map<string, LastUse>();
  for (const { client_id, client_created_at, use, last_at: at } of rows) {
    const client = `${client_created_at} ${client_id}`;
    const last = uses.get(client) ?? { client_id, client_created_at, used_at: null, refused_at: null };
    const column = use.refusal === undefined ? 'used_at' : 'refused_at';
    last[column] = last[column] === null ? at : later(last[column], at);
    uses.set(client, last);
  }
  return [...uses.values()];
}

function later(a: string, b: string): string {
  return Date.parse(a) >= Date.parse(b) ? a : b;
}
