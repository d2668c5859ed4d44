import { eventually } from './eventually.js';
import { type PostgresServer, startPostgres } from './postgres.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { query } from './test-database.js';

/** Lets standbys catch up from a new primary, and reconnect to it quickly. */
const SETTINGS = { wal_keep_size: '256MB', wal_retrieve_retry_interval: '100ms' };

/**
 * A primary with streaming standbys, and an address that leads to one of them, as a DNS name or a proxy does. Nothing happens
 * by itself: tests decide when a standby is promoted, and when the address follows.
 */
export class PostgresCluster {
  private constructor(
    private members: readonly [PostgresServer, ...PostgresServer[]],
    private readonly database: string,
    /** The address. */
    readonly endpoint: TcpProxy,
  ) {}

  /** Starts servers with one database, which has the registry's tables. */
  static async start(standbys: number): Promise<PostgresCluster> {
    const primary = await startPostgres({ settings: SETTINGS });
    const database = new URL(await primary.createRegistryDatabase()).pathname;
    const endpoint = await startTcpProxy(hostOf(primary));
    const cluster = new PostgresCluster([primary], database, endpoint);
    await cluster.addStandbys(standbys);
    return cluster;
  }

  get primary(): PostgresServer {
    return this.members[0];
  }

  get standbys(): readonly PostgresServer[] {
    return this.members.slice(1);
  }

  /** Connection URL of the database, at the address. */
  get url(): string {
    const url = new URL(this.urlAt(this.primary));
    url.host = this.endpoint.address;
    return url.href;
  }

  /** Connection URL of the database, at a server. */
  urlAt(server: PostgresServer): string {
    return Object.assign(new URL(server.url), { pathname: this.database }).href;
  }

  /** Runs a statement in the database, at a server. */
  async query<Row extends object>(server: PostgresServer, sql: string): Promise<Row[]> {
    return query<Row>(this.urlAt(server), sql);
  }

  /** New connections to the address lead to this server. Others remain. */
  pointTo(server: PostgresServer): void {
    this.endpoint.retarget(hostOf(server));
  }

  /** From now on commits wait for any `count` standbys; 0: for none. Servers that join later do the same once promoted. */
  async synchronise(count: number): Promise<void> {
    const names = count === 0 ? '' : `ANY ${count} (*)`;
    for (const server of this.members) {
      await configure(server, `SET synchronous_standby_names = '${names}'`);
    }
    const isAsExpected = count === 0 ? `= 'async'` : `<> 'async'`;
    await emptied(this.primary, `SELECT FROM pg_stat_replication WHERE NOT sync_state ${isAsExpected}`);
    // Commits wait only once the checkpointer has read the setting.
    await query(this.primary.url, 'CHECKPOINT');
  }

  /** Starts standbys until there are `count`, and waits for all to stream. */
  async addStandbys(count: number): Promise<void> {
    while (this.standbys.length < count) {
      this.members = [...this.members, await this.primary.startStandby()];
    }
    await this.streaming(this.standbys.length);
  }

  /** The standby that received most: with synchronous replication it has everything that was acknowledged. */
  async mostAdvanced(): Promise<PostgresServer> {
    const positions = await Promise.all(
      this.standbys.map(async (server) => {
        const [row] = await query<{ position: string }>(
          server.url,
          `SELECT greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn AS position`,
        );
        return { server, position: Number(row!.position) };
      }),
    );
    const [most] = positions.sort((one, other) => other.position - one.position);
    if (most === undefined) throw new Error('there is no standby');
    return most.server;
  }

  /** Makes a standby the primary, which the others follow. @returns the former primary, no longer a member */
  async promote(standby: PostgresServer): Promise<PostgresServer> {
    const former = this.primary;
    this.members = [standby, ...this.standbys.filter((server) => server !== standby)];
    await query(standby.url, 'SELECT pg_promote()');
    for (const server of this.standbys) {
      await configure(server, `SET primary_conninfo = '${standby.url}'`);
    }
    await this.streaming(this.standbys.length);
    return former;
  }

  /** As Patroni does: shuts the primary down, promotes a standby, and starts the former primary as a standby. */
  async switchOver(onPromoted: () => void = () => undefined): Promise<void> {
    await this.primary.halt('stop');
    const former = await this.promote(await this.mostAdvanced());
    onPromoted();
    await former.startAgain(this.primary);
    this.members = [...this.members, former];
  }

  /** A standby receives nothing from now on. */
  async cutOff(standby: PostgresServer): Promise<void> {
    await configure(standby, `SET primary_conninfo = ''`);
    await emptied(standby, 'SELECT FROM pg_stat_wal_receiver');
  }

  /** Resolves once a standby can answer with everything that was committed before. */
  async replayed(standby: PostgresServer): Promise<void> {
    const [row] = await query<{ position: string }>(
      this.primary.url,
      'SELECT pg_current_wal_lsn() AS position',
    );
    await emptied(standby, `SELECT WHERE pg_last_wal_replay_lsn() < '${row!.position}'`);
  }

  /** Stops a standby for good. */
  async remove(standby: PostgresServer): Promise<void> {
    this.members = [this.primary, ...this.standbys.filter((server) => server !== standby)];
    await standby.stop();
  }

  async stop(): Promise<void> {
    await this.endpoint.stop();
    for (const server of [...this.members].reverse()) await server.stop();
  }

  private async streaming(count: number): Promise<void> {
    const states = `SELECT FROM pg_stat_replication WHERE state = 'streaming'`;
    await emptied(this.primary, `SELECT WHERE (SELECT count(*) FROM (${states}) AS state) < ${count}`);
  }
}

function hostOf({ url }: PostgresServer): string {
  return new URL(url).host;
}

/** Resolves once a query returns no rows. @throws {Error} with the query, when that takes too long */
async function emptied(server: PostgresServer, sql: string): Promise<void> {
  await eventually(async () => {
    if ((await query(server.url, sql)).length > 0) throw new Error(`still has rows: ${sql}`);
  });
}

async function configure(server: PostgresServer, setting: string): Promise<void> {
  await query(server.url, `ALTER SYSTEM ${setting}`);
  await query(server.url, 'SELECT pg_reload_conf()');
}
