// The drills by name. Most are spec files (`*.drill-spec.ts`); environment variables set their number of rounds.
import { runSpec } from './support/run-spec.mjs';

/**
 * @typedef {{ what: string, value: string | number }} Figure
 *
 * @typedef {object} Drill
 * @property {string} title the failure and the service
 * @property {readonly string[]} files the spec files it runs; empty for a program
 * @property {boolean} [isSlow] true if even a quick run takes minutes: only full runs, and those that name it, have it
 * @property {boolean} [waits] true if a quick run takes little processor time and may run beside others of its kind
 * @property {(options: { quick: boolean, log: (line: string) => void }) => Promise<{ figures: Figure[] }>} run
 */

const REGISTRY = 'apps/registry-api/test/drills';
const COMMANDER = 'apps/commander-api/test';
const ZOOKEEPER_STORE = 'libs/zookeeper-store/test';

/** @type {Readonly<Record<string, Drill>>} */
export const DRILLS = {
  'authorization-server': specs(
    'how soon changes in the registry reach an authorization server, with and without the change feed',
    ['apps/example-authorization-server/test/changes.drill-spec.ts'],
    { DRILL_ROUNDS: 10 },
  ),
  'database-away': {
    ...specs(
      'PostgreSQL restarted, crashed, unreachable and frozen under load',
      [`${REGISTRY}/database-away.drill-spec.ts`],
      { DRILL_ROUNDS: 5, DRILL_UNREACHABLE_MS: 14_000 },
    ),
    waits: true,
  },
  'fair-shares': specs(
    'a caller that sends as fast as it can, and another meanwhile: the registry and the commander',
    [`${REGISTRY}/fair-shares.drill-spec.ts`, `${COMMANDER}/drills/fair-shares.drill-spec.ts`],
    { DRILL_IDLE_MACHINE: 1, DRILL_FLOOD_MS: 35_000, DRILL_CLIENTS: 100_000 },
  ),
  flood: specs(
    'floods beyond the rate limits, and a well-behaved caller meanwhile',
    [`${REGISTRY}/flood.drill-spec.ts`],
    { DRILL_FLOOD_MS: 20_000 },
  ),
  'foreign-hashes': specs(
    'floods of checks of imported hashes, and other checks and requests meanwhile',
    [`${REGISTRY}/foreign-hashes.drill-spec.ts`],
    { DRILL_FLOOD_MS: 20_000 },
  ),
  'full-disk': specs(
    "PostgreSQL's disk fills up under load, then has room again",
    [`${REGISTRY}/full-disk.drill-spec.ts`],
    { DRILL_ROUNDS: 10 },
  ),
  fuzz: program(
    'every endpoint of both services, with requests generated from their API documents',
    () => import('./fuzz.mjs'),
  ),
  ha: specs(
    'PostgreSQL with standbys and PgBouncer under load: failovers, frozen servers, changed roles',
    ['failovers', 'pooler-failovers', 'credentials', 'standby-reads'].map(
      (name) => `${REGISTRY}/${name}.drill-spec.ts`,
    ),
    { DRILL_ROUNDS: 5, DRILL_LATE_ADDRESSES: 20 },
  ),
  'hostile-bodies': specs(
    'bodies that are expensive to read, and a health probe meanwhile',
    [`${REGISTRY}/hostile-bodies.drill-spec.ts`],
    { DRILL_IDLE_MACHINE: 1 },
  ),
  'hostile-sources': specs(
    'repositories and IP range files that are expensive to read, and a health probe meanwhile',
    [`${COMMANDER}/drills/hostile-sources.drill-spec.ts`],
    { DRILL_IDLE_MACHINE: 1, DRILL_SCALE: 8 },
  ),
  'library-kill': specs(
    'kill -9 of a library load at any point',
    [`${COMMANDER}/libraries/library-kills.drill-spec.ts`],
    { LIBRARY_KILL_POINTS: 50 },
  ),
  'library-reads': specs(
    'consumers that read a library while loads run and are killed: whether they mistake a mixture for a whole load',
    [`${COMMANDER}/libraries/whole-loads.drill-spec.ts`],
    { DRILL_LOADS: 200, DRILL_READS: 1_000 },
  ),
  'lookup-crash': specs(
    'kill -9 and a full disk while a lookup is written, synced or rolled back',
    ['crash', 'kills', 'full-disk'].map((name) => `${COMMANDER}/iplookup/iplookup-${name}.drill-spec.ts`),
    { DRILL_POINTS: 100 },
  ),
  packages: specs(
    'the published packages and the images: what they contain, and whether they install and run',
    ['tools/test/packages.drill-spec.ts', 'tools/test/image-contents.drill-spec.ts'],
  ),
  'pool-exhausted': specs(
    'every database connection taken, more callers than connections, and more registries than PostgreSQL has room for',
    [`${REGISTRY}/pool-exhausted.drill-spec.ts`, `${REGISTRY}/too-few-connections.drill-spec.ts`],
    { DRILL_ROUNDS: 5 },
  ),
  'python-authorization-server': specs(
    'how soon changes in the registry reach an authorization server that asks over HTTP, and a registry that is away',
    ['apps/example-authorization-server/test/python-server.drill-spec.ts'],
    { DRILL_ROUNDS: 10 },
  ),
  recommendations: specs(
    'recommendations for random histories of requests, and the same found by trying on each request',
    ['libs/client-metadata/test/recommendations.drill-spec.ts'],
    { DRILL_HISTORIES: 10_000 },
  ),
  'registry-kill': specs(
    'repeated kill -9 of the registry during registrations',
    [`${REGISTRY}/kill.drill-spec.ts`],
    { DRILL_KILLS: 60 },
  ),
  release: {
    ...specs('a release in a copy of the repository', ['tools/test/release.drill-spec.ts']),
    waits: true,
  },
  replicas: specs(
    'two processes on one database: order of the feed, stale reads, revoked tokens',
    [`${REGISTRY}/two-processes.drill-spec.ts`],
    { DRILL_CHANGES: 6_000, DRILL_READS: 2_000, DRILL_TOKENS: 30 },
  ),
  'rolling-restart': specs(
    'repeated SIGTERM of one of two replicas under load: the registry and the commander',
    [`${REGISTRY}/rolling-restart.drill-spec.ts`, `${COMMANDER}/http/rolling-restart.drill-spec.ts`],
    { DRILL_ROUNDS: 20 },
  ),
  'secret-timing': {
    ...specs(
      'whether the time of a check tells unknown Clients, wrong secrets and imported hashes apart',
      [`${REGISTRY}/secret-timing.drill-spec.ts`],
      { DRILL_REQUESTS: 10_000 },
    ),
    isSlow: true,
  },
  'self-check': specs('the drills themselves: whether they detect failures', [
    'tools/test/drills.drill-spec.ts',
    'tools/test/fuzz.drill-spec.ts',
    'tools/test/trend.drill-spec.ts',
  ]),
  'slow-callers': specs(
    'callers who send or read slowly, and a well-behaved one meanwhile',
    [`${REGISTRY}/slow-callers.drill-spec.ts`],
    { DRILL_CALLERS: 400, DRILL_STALLED: 1 },
  ),
  'slow-computer': specs(
    "the console's list of 20,000 Clients on a computer four times slower",
    ['apps/registry-ui/test/slow-computer.drill-spec.ts'],
    { DRILL_IDLE_MACHINE: 1, DRILL_ROUNDS: 9 },
  ),
  soak: program(
    'half an hour of mixed load: no errors, and constant memory, connections and files',
    () => import('./soak.mjs'),
  ),
  streams: specs('1,000 open change streams on one process', [`${REGISTRY}/streams.drill-spec.ts`], {
    DRILL_CHANGES: 30,
  }),
  'sync-memory': specs(
    'a sync of four layers, and building the largest of them alone: how much memory each needs',
    [`${COMMANDER}/iplookup/sync-memory.drill-spec.ts`],
    { DRILL_ROWS: 3_000_000 },
  ),
  'two-teams': specs(
    'random requests of two teams whose tokens reach only their own Clients',
    [`${REGISTRY}/two-teams.drill-spec.ts`],
    { DRILL_REQUESTS: 100_000 },
  ),
  upgrade: {
    ...specs(
      'replicas, .svc, libraries and lookups of each former version, upgraded to this one',
      ['tools/test/upgrade.drill-spec.ts'],
      { UPGRADE_CLIENTS: 100_000 },
    ),
    isSlow: true,
  },
  usage: specs(
    'counts of how Clients are used, while replicas and authorization servers are killed, and under a flood of made-up redirect URIs',
    [`${REGISTRY}/usage.drill-spec.ts`, 'apps/example-authorization-server/test/usage.drill-spec.ts'],
    { DRILL_KILLS: 10, DRILL_URIS: 50_000, DRILL_CLIENTS: 30_000 },
  ),
  'zookeeper-ensemble': {
    ...specs(
      'a ZooKeeper ensemble of three during a load: leader killed, leader frozen, all restarted',
      [`${COMMANDER}/libraries/library-ensemble.drill-spec.ts`],
      { DRILL_ROUNDS: 10 },
    ),
    waits: true,
  },
  'zookeeper-frozen': {
    ...specs(
      'a ZooKeeper server that freezes: how its client notices, and how a load continues on another',
      [`${ZOOKEEPER_STORE}/lost-connections.drill-spec.ts`, `${ZOOKEEPER_STORE}/frozen-server.drill-spec.ts`],
      { DRILL_ROUNDS: 20 },
    ),
    waits: true,
  },
};

/**
 * @param {string} title
 * @param {readonly string[]} files
 * @param {Readonly<Record<string, number>>} [whole] the environment of a full run; a quick one uses the files' defaults
 * @returns {Drill}
 */
function specs(title, files, whole = {}) {
  return {
    title,
    files,
    run: async ({ quick }) => {
      const figures = [];
      const options = quick ? { minutes: 10 } : { minutes: 40, environment: whole };
      const failures = [];
      for (const file of files) {
        try {
          figures.push(...(await runSpec(file, options)).figures);
        } catch (error) {
          figures.push(...(error.figures ?? []));
          failures.push(error.message);
        }
      }
      if (failures.length > 0) throw Object.assign(new Error(failures.join('\n\n')), { figures });
      return { figures };
    },
  };
}

/**
 * Loaded lazily, since it needs the built projects.
 *
 * @param {string} title
 * @param {() => Promise<Pick<Drill, 'run'>>} load
 * @returns {Drill}
 */
function program(title, load) {
  return { title, files: [], run: async (options) => (await load()).run(options) };
}
