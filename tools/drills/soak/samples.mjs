// Samples the resources of the registry's process and database.
import pg from 'pg';

/** Metrics sampled from `/metrics`, with names and unit factors. */
/** @type {Record<string, [metric: string, factor: number]>} */
const METRICS = {
  lagMs: ['nodejs_eventloop_lag_p99_seconds', 1e3],
  files: ['process_open_fds', 1],
};

export class Samples {
  rows = [];

  /** @param {{ service: object, caller: object, streams: object, databaseUrl: string }} watched */
  constructor(watched) {
    this.watched = watched;
    this.database = new pg.Client({ connectionString: watched.databaseUrl, application_name: 'soak' });
  }

  async open() {
    await this.database.connect();
  }

  async close() {
    await this.database.end();
  }

  /** @param {number} at seconds since the start */
  async take(at) {
    const { service, caller, streams } = this.watched;
    const text = (await caller.ask('GET', '/metrics', 200)) ?? '';
    const metrics = Object.entries(METRICS).map(([name, [metric, factor]]) => [
      name,
      valueOf(text, metric) * factor,
    ]);
    const { rows } = await this.database.query(
      `SELECT count(*)::int AS connections FROM pg_stat_activity
       WHERE datname = current_database() AND application_name <> 'soak'`,
    );
    const { resident, heap } = await service.memoryMb();
    const row = {
      at: Math.round(at),
      requests: caller.requests,
      p99Ms: caller.takeP99(),
      residentMb: resident,
      heapMb: heap,
      ...Object.fromEntries(metrics),
      connections: rows[0].connections,
      streams: streams.open,
    };
    this.rows.push(row);
    return row;
  }

  /** One metric over time. */
  pointsOf(name) {
    return this.rows.map((row) => ({ at: row.at, value: row[name] }));
  }
}

function valueOf(text, metric) {
  const [, value] = new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text) ?? [];
  return Number(value);
}
