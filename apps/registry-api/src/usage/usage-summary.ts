import type { ClientUse, MatchKind, RequestUse } from '@svc/client-metadata';
import type { CountedUse } from './usage-statements.js';
import type { ClientUsageReport, RedirectUriUse, RefusalUse, SecretUseCount, UseCount } from './usage.dto.js';

/** Entries of a list. */
const MOST_LISTED = 200;

/** A secret of the Client, with its id. */
export interface KnownSecret {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** What a summary is about. */
export interface SummarizedClient {
  readonly redirectUris: readonly string[];
  readonly secrets: readonly KnownSecret[];
}

type Summary = Pick<
  ClientUsageReport,
  'redirect_uris' | 'origins' | 'refusals' | 'pkce' | 'response_types' | 'secrets'
>;

/** Adds up counts by each aspect of a summary. */
export function summarizeUses(uses: readonly CountedUse[], client: SummarizedClient): Summary {
  const accepted = uses.filter(isAcceptedRequest);
  return {
    redirect_uris: redirectUris(accepted, client.redirectUris),
    origins: grouped(accepted, ({ match, origin }) =>
      match === 'unchecked' && origin !== undefined ? { origin } : undefined,
    ),
    refusals: grouped(uses, refusalOf),
    pkce: grouped(accepted, ({ pkce }) => ({ value: pkce })),
    response_types: grouped(accepted, ({ response_type }) => ({ value: response_type })),
    secrets: client.secrets.map((secret) => secretUse(secret, uses)),
  };
}

type Counted<Use> = Omit<CountedUse, 'use'> & { readonly use: Use };

function isAcceptedRequest(counted: CountedUse): counted is Counted<RequestUse> {
  return counted.use.kind === 'request' && counted.use.refusal === undefined;
}

function refusalOf(use: ClientUse): Omit<RefusalUse, keyof UseCount> | undefined {
  if (use.refusal === undefined) return undefined;
  if (use.kind !== 'request') return { rule: use.refusal };
  const { refusal, origin, redirect_uri: uri, difference } = use;
  return {
    rule: refusal,
    ...(origin !== undefined && { origin }),
    ...(uri !== undefined && { redirect_uri: uri }),
    ...(difference !== undefined && { difference }),
  };
}

/** @param groupOf what uses that belong together have in common; undefined: not listed */
function grouped<Use, Group extends object>(
  uses: readonly Counted<Use>[],
  groupOf: (use: Use) => Group | undefined,
): (Group & UseCount)[] {
  const groups = new Map<string, { group: Group; count: number; first: number; last: number }>();
  for (const { use, count, firstAt, lastAt } of uses) {
    const group = groupOf(use);
    if (!group) continue;
    const key = JSON.stringify(group);
    const known = groups.get(key) ?? { group, count: 0, first: Infinity, last: -Infinity };
    known.count += count;
    known.first = Math.min(known.first, firstAt.getTime());
    known.last = Math.max(known.last, lastAt.getTime());
    groups.set(key, known);
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count || b.last - a.last)
    .slice(0, MOST_LISTED)
    .map(({ group, count, first, last }) => ({
      ...group,
      count,
      first_at: new Date(first).toISOString(),
      last_at: new Date(last).toISOString(),
    }));
}

function redirectUris(
  accepted: readonly Counted<RequestUse>[],
  registered: readonly string[],
): RedirectUriUse[] {
  const known = new Map<string, { matches: Partial<Record<MatchKind, number>>; last?: number }>(
    registered.map((uri) => [uri, { matches: {} }]),
  );
  for (const { use, count, lastAt } of accepted) {
    const { redirect_uri: uri, match } = use;
    if (uri === undefined || match === undefined) continue;
    const entry = known.get(uri) ?? { matches: {} };
    entry.matches[match] = (entry.matches[match] ?? 0) + count;
    entry.last = Math.max(entry.last ?? 0, lastAt.getTime());
    known.set(uri, entry);
  }
  return [...known].slice(0, registered.length + MOST_LISTED).map(([uri, { matches, last }]) => ({
    redirect_uri: uri,
    is_registered: registered.includes(uri),
    matches,
    ...(last !== undefined && { last_at: new Date(last).toISOString() }),
  }));
}

/** The secret's own time is known to the hour, and kept for longer. */
function secretUse(
  { id, hint, createdAt, lastUsedAt }: KnownSecret,
  uses: readonly CountedUse[],
): SecretUseCount {
  const own = uses.filter(({ use }) => use.kind === 'secret' && use.secret === id);
  const times = [...own.map(({ lastAt }) => lastAt), ...(lastUsedAt ? [lastUsedAt] : [])];
  const last = Math.max(...times.map((time) => time.getTime()));
  return {
    hint,
    created_at: createdAt.toISOString(),
    count: own.reduce((sum, { count }) => sum + count, 0),
    ...(times.length > 0 && { last_used_at: new Date(last).toISOString() }),
  };
}
