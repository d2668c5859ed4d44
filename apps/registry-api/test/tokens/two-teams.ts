import type { RunningRegistry } from '../running-registry.js';
import { randomFrom } from '../seeded-random.js';
import { acceptedRow, batchOf } from '../usage/recorded.js';

/*
 * Two teams, each with a token for its own Clients, send random requests. Every text of a team's Clients contains the
 * team's mark. A naive model of what each team has says what its answers may and must contain.
 */

const TEAMS = ['aardvark', 'buffalo'] as const;
type Team = (typeof TEAMS)[number];

const SCOPES = ['clients:read', 'clients:write', 'clients:check', 'tokens:write'];
const NDJSON = { 'content-type': 'application/x-ndjson' };

/** Ids that both teams register, so that they collide. */
const IDS = Array.from({ length: 12 }, (_, index) => `shared-${index}`);

/** What restricts a team's tokens; every Client of the team has these labels. */
export const SELECTORS = {
  'one label': (team: string) => ({ team }),
  'two labels': (team: string) => ({ team, tier: team }),
  'several values': (team: string) => ({ team: [team, `${team}-2`] }),
} as const;

/** `none`: the tokens reach all Clients, to see that the fuzz would find what they leak. */
export type Restriction = keyof typeof SELECTORS | 'none';

/** A token of a team. */
interface Holder {
  readonly team: Team;
  readonly token: string;
  /** The only Client that it reaches, if the team has it. */
  readonly only?: string;
}

/** What a request does, if it succeeds, to the Clients of its team. */
interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts in the request, which the answer may repeat. */
  readonly registers?: string;
  readonly deletes?: string;
  readonly enables?: Enabling;
  readonly bulk?: { readonly enables: Enabling; readonly isDry: boolean };
}

interface Enabling {
  readonly id: string;
  readonly enabled: boolean;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface FuzzResult {
  readonly requests: number;
  readonly succeeded: number;
  /** Answers that contained something of the other team, or a wrong total. */
  readonly leaks: readonly string[];
}

/** @param requests how many are sent, one after the other */
export async function fuzzTwoTeams(
  registry: Pick<RunningRegistry, 'url' | 'ask'>,
  seed: number,
  requests: number,
  restriction: Restriction = 'one label',
): Promise<FuzzResult> {
  const fuzz = new TwoTeams(registry, randomFrom(seed), restriction);
  await fuzz.begin();
  for (let count = 0; count < requests; count += 1) await fuzz.step();
  return { requests, succeeded: fuzz.succeeded, leaks: fuzz.leaks };
}

class TwoTeams {
  readonly leaks: string[] = [];
  succeeded = 0;
  private readonly holders: Holder[] = [];
  /** Whose each Client is. */
  private readonly owners = new Map<string, Team>();
  /** Whose each deleted Client was: it can be restored, and keeps its id from the other team. */
  private readonly deleted = new Map<string, Team>();
  /** Which Clients are enabled. */
  private readonly enabled = new Map<string, boolean>();

  constructor(
    private readonly registry: Pick<RunningRegistry, 'url' | 'ask'>,
    private readonly random: () => number,
    private readonly restriction: Restriction,
  ) {}

  async begin(): Promise<void> {
    for (const id of IDS) {
      await this.registry.ask('DELETE', `/client/${id}`);
      await this.registry.ask('DELETE', `/deleted-clients/${id}`);
    }
    for (const team of TEAMS) {
      for (const only of [undefined, this.pick(IDS)]) {
        const selector = this.restriction === 'none' ? undefined : SELECTORS[this.restriction](team);
        const body = { name: `${team} token`, scopes: SCOPES, selector, client_id: selector && only };
        const token = String((await this.registry.ask('POST', '/token', { body })).body['token']);
        this.holders.push({ team, token, ...(only !== undefined && { only }) });
      }
    }
  }

  async step(): Promise<void> {
    const holder = this.pick(this.holders);
    const attempt = this.attemptOf(holder.team);
    const reply = await this.send(holder, attempt);
    if (reply.status < 300) this.succeeded += 1;
    this.check(holder, attempt, reply);
  }

  private check(holder: Holder, attempt: Attempt, { status, text }: Reply): void {
    const other = this.otherThan(holder.team);
    const sent = JSON.stringify([attempt.path, attempt.body ?? null]);
    const isClean = !text.includes(other) || sent.includes(other);
    this.expect(isClean, attempt, status, `contains ${other}: ${text.slice(0, 500)}`);
    this.expect(status < 500, attempt, status, text.slice(0, 500));
    this.checkEffect(holder, attempt, status);
    if (attempt.bulk && status < 300) this.checkBulk(holder, attempt, attempt.bulk, text);
    if (status === 200) this.checkTotals(holder, attempt, text);
  }

  private checkEffect(holder: Holder, attempt: Attempt, status: number): void {
    const { registers, deletes, enables } = attempt;
    if (registers !== undefined) {
      const isOutside = holder.only !== undefined && holder.only !== registers;
      const isTaken =
        this.owners.has(registers) || (this.deleted.get(registers) ?? holder.team) !== holder.team;
      const expected = isOutside ? 400 : isTaken ? 409 : 201;
      this.expect(status === expected, attempt, status, `a registration instead of ${expected}`);
      if (expected === 201) this.registered(registers, holder.team);
    }
    if (deletes !== undefined) {
      const isReached = this.reaches(holder, deletes);
      this.expect(status === (isReached ? 204 : 404), attempt, status, 'wrong status of a deletion');
      if (isReached) this.owners.delete(deletes);
      if (isReached) this.deleted.set(deletes, holder.team);
    }
    if (enables !== undefined) this.checkEnabling(holder, attempt, enables, status);
  }

  private registered(id: string, team: Team): void {
    this.owners.set(id, team);
    this.deleted.delete(id);
    this.enabled.set(id, true);
  }

  private checkEnabling(holder: Holder, attempt: Attempt, { id, enabled }: Enabling, status: number): void {
    const isReached = this.reaches(holder, id);
    this.expect(status === (isReached ? 200 : 404), attempt, status, `wrong status of ${id}`);
    if (isReached) this.enabled.set(id, enabled);
  }

  /** The second operation; where it was not carried out, the model is as it was. */
  private checkBulk(
    holder: Holder,
    attempt: Attempt,
    { enables, isDry }: NonNullable<Attempt['bulk']>,
    text: string,
  ): void {
    const { results } = JSON.parse(text) as { results: { status: number }[] };
    const before = this.enabled.get(enables.id);
    this.checkEnabling(holder, attempt, enables, results[1]?.status ?? 0);
    if (isDry && before !== undefined) this.enabled.set(enables.id, before);
  }

  private checkTotals(holder: Holder, attempt: Attempt, text: string): void {
    const own = IDS.filter((id) => this.reaches(holder, id)).length;
    const { path } = attempt;
    if (path === '/client?count=true') {
      const { total } = JSON.parse(text) as { total: number };
      this.expect(total === own, attempt, 200, `total ${total} instead of ${own}`);
    }
    if (path === '/clients/export') {
      const lines = text.split('\n').filter((line) => line !== '').length;
      this.expect(lines === own, attempt, 200, `${lines} exported instead of ${own}`);
    }
    const [, id = ''] = /^\/client\/([\w-]+)$/.exec(path) ?? [];
    if (id === '') return;
    this.expect(this.reaches(holder, id), attempt, 200, 'not of this team');
    const { enabled } = JSON.parse(text) as { enabled: boolean };
    this.expect(enabled === this.enabled.get(id), attempt, 200, `enabled is ${enabled}`);
  }

  private reaches({ team, only }: Holder, id: string): boolean {
    return this.owners.get(id) === team && (only === undefined || only === id);
  }

  private attemptOf(team: Team): Attempt {
    const id = this.pick(IDS);
    const other = this.otherThan(team);
    const client = {
      client_name: `${team} shop`,
      redirect_uris: [`https://${team}.example/cb`],
      description: team,
    };
    const isSeveral = this.restriction === 'several values';
    const own = isSeveral
      ? { labels: { team } }
      : this.pick<object>([{}, { labels: { team } }, { labels: { tier: team } }, { labels: null }]);
    const labels = this.pick<object>([
      own,
      own,
      own,
      { labels: { team: other } },
      { labels: { team: null } },
    ]);
    const at = `/client/${id}`;
    return this.pick<() => Attempt>([
      () => ({
        method: 'POST',
        path: '/client',
        body: { ...client, ...own, preferred_client_id: id },
        registers: id,
      }),
      () => ({ method: 'DELETE', path: at, deletes: id }),
      () => ({ method: 'GET', path: at }),
      () => ({ method: 'GET', path: `${at}/history` }),
      () => ({ method: 'GET', path: `${at}/secrets` }),
      () => ({ method: 'PUT', path: at, body: { ...client, ...labels } }),
      () => ({ method: 'PATCH', path: at, body: { ...client, ...labels } }),
      () => ({ method: 'POST', path: `${at}/reset_secret` }),
      () => ({ method: 'POST', path: `${at}/enable`, enables: { id, enabled: true } }),
      () => ({ method: 'POST', path: `${at}/disable`, enables: { id, enabled: false } }),
      () => ({ method: 'GET', path: `${at}/usage` }),
      () => ({ method: 'POST', path: '/clients/usage', body: batchOf([acceptedRow(id)]) }),
      () => ({
        method: 'POST',
        path: `${at}/redirect_uris`,
        body: { redirect_uri: `https://${team}-2.example/cb`, expires_in: '1 h', note: team },
      }),
      () => ({ method: 'DELETE', path: `${at}/redirect_uris?redirect_uri=https://${team}-2.example/cb` }),
      () => ({ method: 'POST', path: `${at}/check/secret`, body: { client_secret: 'guess' } }),
      () => ({ method: 'POST', path: `${at}/check/authorization_request`, body: { response_type: 'code' } }),
      () => ({ method: 'GET', path: this.pick(['/client?count=true', '/clients/export', '/client?q=shop']) }),
      () => ({ method: 'GET', path: `/client?label=team:${other}&count=true` }),
      () => ({ method: 'GET', path: `/client?sort=${this.pick(['client_name', '-updated_at'])}&limit=2` }),
      () => ({ method: 'GET', path: `/clients/export?client_id=${id}` }),
      () => ({ method: 'GET', path: this.pick(['/clients/changes?newest=20', '/clients/stats', '/token']) }),
      () => ({ method: 'GET', path: '/clients/cookie_entrypoints' }),
      () => this.bulk(team, id, client, labels),
      () => this.importOf(id, { ...client, ...labels }),
    ])();
  }

  private bulk(team: Team, id: string, client: object, labels: object): Attempt {
    const enables = { id: this.pick(IDS), enabled: this.random() < 0.5 };
    const isDry = this.random() < 0.2;
    const operations = [
      { op: 'update', client_id: id, patch: { client_name: `${team} bulk`, ...labels } },
      { op: enables.enabled ? 'enable' : 'disable', client_id: enables.id },
      ...(this.owners.has(id) ? [{ op: 'register', client: { ...client, preferred_client_id: id } }] : []),
    ];
    return {
      method: 'POST',
      path: '/clients/bulk',
      body: { operations, atomic: this.random() < 0.5, dry_run: isDry },
      bulk: { enables, isDry },
    };
  }

  /** Of a Client that exists, so that it registers none. */
  private importOf(id: string, client: object): Attempt {
    if (!this.owners.has(id)) return { method: 'GET', path: `/client/${id}` };
    const body = JSON.stringify({ ...client, client_id: id });
    return { method: 'POST', path: '/clients/import', body, headers: NDJSON };
  }

  private async send({ token }: Holder, { method, path, body, headers }: Attempt): Promise<Reply> {
    const response = await fetch(this.registry.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  private expect(holds: boolean, { method, path, body }: Attempt, status: number, problem: string): void {
    if (!holds) this.leaks.push(`${method} ${path} ${JSON.stringify(body ?? null)} ${status}: ${problem}`);
  }

  private otherThan(team: Team): Team {
    return team === TEAMS[0] ? TEAMS[1] : TEAMS[0];
  }

  private pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.random() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }
}
