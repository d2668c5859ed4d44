import type { RunningRegistry } from '../running-registry.js';
import { randomFrom } from '../seeded-random.js';

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

/** What a request does, if it succeeds, to the Clients of its team. */
interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts in the request, which the answer may repeat. */
  readonly registers?: string;
  readonly deletes?: string;
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

/**
 * @param requests how many are sent, one after the other
 * @param isRestricted false: the tokens reach all Clients, to see that the fuzz would find what they leak
 */
export async function fuzzTwoTeams(
  registry: Pick<RunningRegistry, 'url' | 'ask'>,
  seed: number,
  requests: number,
  isRestricted = true,
): Promise<FuzzResult> {
  const fuzz = new TwoTeams(registry, randomFrom(seed));
  await fuzz.begin(isRestricted);
  for (let count = 0; count < requests; count += 1) await fuzz.step();
  return { requests, succeeded: fuzz.succeeded, leaks: fuzz.leaks };
}

class TwoTeams {
  readonly leaks: string[] = [];
  succeeded = 0;
  private readonly tokens = new Map<Team, string>();
  /** Whose each Client is. */
  private readonly owners = new Map<string, Team>();

  constructor(
    private readonly registry: Pick<RunningRegistry, 'url' | 'ask'>,
    private readonly random: () => number,
  ) {}

  async begin(isRestricted: boolean): Promise<void> {
    for (const team of TEAMS) {
      const selector = isRestricted ? { team } : undefined;
      const body = { name: `${team} token`, scopes: SCOPES, selector };
      this.tokens.set(team, String((await this.registry.ask('POST', '/token', { body })).body['token']));
    }
  }

  async step(): Promise<void> {
    const team = this.pick(TEAMS);
    const attempt = this.attemptOf(team);
    const reply = await this.send(team, attempt);
    if (reply.status < 300) this.succeeded += 1;
    this.judge(team, attempt, reply);
  }

  private judge(team: Team, attempt: Attempt, { status, text }: Reply): void {
    const other = this.otherThan(team);
    const { registers, deletes } = attempt;
    if (registers !== undefined) {
      const isTaken = this.owners.has(registers);
      this.expect(status === (isTaken ? 409 : 201), attempt, status, 'wrong status of a registration');
      if (!isTaken) this.owners.set(registers, team);
    }
    if (deletes !== undefined) {
      const isOwn = this.owners.get(deletes) === team;
      this.expect(status === (isOwn ? 204 : 404), attempt, status, 'wrong status of a deletion');
      if (isOwn) this.owners.delete(deletes);
    }
    const sent = JSON.stringify([attempt.path, attempt.body ?? null]);
    this.expect(
      !text.includes(other) || sent.includes(other),
      attempt,
      status,
      `contains ${other}: ${text.slice(0, 500)}`,
    );
    this.expect(status < 500, attempt, status, text.slice(0, 500));
    if (status === 200) this.judgeTotals(team, attempt, text);
  }

  private judgeTotals(team: Team, attempt: Attempt, text: string): void {
    const own = [...this.owners.values()].filter((owner) => owner === team).length;
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
    if (id !== '') this.expect(this.owners.get(id) === team, attempt, 200, 'not of this team');
  }

  private attemptOf(team: Team): Attempt {
    const id = this.pick(IDS);
    const other = this.otherThan(team);
    const client = {
      client_name: `${team} shop`,
      redirect_uris: [`https://${team}.example/cb`],
      description: team,
    };
    const own = this.pick<object>([{}, { labels: { team } }, { labels: { tier: team } }, { labels: null }]);
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
      () => ({ method: 'POST', path: `${at}/${this.pick(['enable', 'disable', 'reset_secret'])}` }),
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
    const operations = [
      { op: 'update', client_id: id, patch: { client_name: `${team} bulk`, ...labels } },
      { op: this.pick(['enable', 'disable']), client_id: this.pick(IDS) },
      ...(this.owners.has(id) ? [{ op: 'register', client: { ...client, preferred_client_id: id } }] : []),
    ];
    return {
      method: 'POST',
      path: '/clients/bulk',
      body: { operations, atomic: this.random() < 0.5, dry_run: this.random() < 0.2 },
    };
  }

  /** Of a Client that exists, so that it registers none. */
  private importOf(id: string, client: object): Attempt {
    if (!this.owners.has(id)) return { method: 'GET', path: `/client/${id}` };
    const body = JSON.stringify({ ...client, client_id: id });
    return { method: 'POST', path: '/clients/import', body, headers: NDJSON };
  }

  private async send(team: Team, { method, path, body, headers }: Attempt): Promise<Reply> {
    const response = await fetch(this.registry.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.tokens.get(team) ?? ''}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  private expect(holds: boolean, { method, path, body }: Attempt, status: number, fault: string): void {
    if (!holds) this.leaks.push(`${method} ${path} ${JSON.stringify(body ?? null)} ${status}: ${fault}`);
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
