// Sends valid, invalid and hostile requests to every endpoint of both services, generated from their API documents.
//   FUZZ_SEED      repeats a run with this (printed) seed
//   FUZZ_REQUESTS  to the registry, 100000 by default; the commander gets a fifth of that
//   FUZZ_SERVICE   registry or commander; both by default
import { openCommander } from './fuzz/commander.mjs';
import { openRegistry } from './fuzz/registry.mjs';
import { sendRawRequests } from './fuzz/raw-requests.mjs';
import { runFuzz } from './fuzz/run-fuzz.mjs';
import { trendOf } from './parts/trend.mjs';

const REQUESTS = { full: 100_000, quick: 3_000 };

/** Maximum memory growth by the trend of the last two thirds, relative to the mean. */
const MAX_GROWTH = 0.15;

/** Warm-up requests, whose memory growth is ignored. */
const WARM_REQUESTS = 20_000;

const SERVICES = {
  registry: { open: openRegistry, share: 1 },
  commander: { open: openCommander, share: 0.2 },
};

export async function run({ quick, log }) {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const count = Number(process.env.FUZZ_REQUESTS ?? (quick ? REQUESTS.quick : REQUESTS.full));
  const names = process.env.FUZZ_SERVICE ? [process.env.FUZZ_SERVICE] : Object.keys(SERVICES);
  log(`FUZZ_SEED=${seed}`);
  /** @type {import('./drills.mjs').Figure[]} */
  const figures = [{ what: 'seed', value: seed }];
  for (const name of names) {
    const { open, share } = SERVICES[name];
    figures.push(...(await fuzz({ name, open, seed, count: Math.round(count * share), log })));
  }
  return { figures };
}

async function fuzz({ name, open, seed, count, log }) {
  const started = performance.now();
  const target = await open();
  try {
    const seen = await runFuzz({ ...target, count, seed, log: (line) => log(`${name}: ${line}`) });
    const raw = await sendRawRequests(target.service.url);
    seen.failures.push(...raw.failures);
    const memory = seen.memory.length > 2 ? trendOf(seen.memory) : { mean: 0, growth: 0 };
    const wrong = await failuresOf({ target, seen, memory, count });
    if (wrong.length > 0)
      throw new Error(
        [`FUZZ_SEED=${seed} FUZZ_SERVICE=${name}: ${wrong.length} failures`, ...wrong].join('\n'),
      );
    return figuresOf({ name, target, seen, raw, memory, seconds: (performance.now() - started) / 1000 });
  } finally {
    await target.close();
  }
}

/** @returns {Promise<string[]>} */
async function failuresOf({ target, seen, memory, count }) {
  const { service, isServing } = target;
  const wrong = [...seen.failures];
  if (!service.isAlive()) return [...wrong, 'it has exited'];
  if (!(await isServing())) wrong.push('it no longer serves normally');
  wrong.push(...service.log.leaks.map((line) => `a secret is in the log: ${line}`));
  // Each 503 is logged as an error.
  if (service.log.errorCount > (seen.statuses[503] ?? 0))
    wrong.push(...service.log.errors.map((line) => `the log has an error: ${line}`));
  if (count >= WARM_REQUESTS) {
    // Operations that never succeed were not tested beyond the first check.
    wrong.push(...neverSucceeded(target, seen).map((operation) => `${operation} never succeeded`));
  }
  if (count >= WARM_REQUESTS && memory.growth > memory.mean * MAX_GROWTH)
    wrong.push(`its memory grew by ${Math.round(memory.growth)} MB`);
  return wrong;
}

function neverSucceeded({ document }, { succeeded }) {
  return [...document.operations.keys()].filter((name) => !succeeded.has(name));
}

function figuresOf({ name, target, seen, raw, memory, seconds }) {
  const statuses = Object.entries(seen.statuses).map(([status, times]) => `${status}: ${times}`);
  return [
    { what: `${name}: requests without a wrong response`, value: seen.sent },
    { what: `${name}: requests that are barely HTTP, without a wrong response`, value: raw.sent },
    { what: `${name}: seconds`, value: Math.round(seconds) },
    {
      what: `${name}: operations, and those that never succeeded`,
      value: [target.document.operations.size, ...neverSucceeded(target, seen)].join(', '),
    },
    { what: `${name}: responses by status`, value: statuses.join(', ') },
    {
      what: `${name}: memory: mean, and growth by its trend`,
      value: `${Math.round(memory.mean)} MB, ${Math.round(memory.growth)} MB`,
    },
  ];
}
