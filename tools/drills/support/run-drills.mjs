import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Drills that mostly wait, run at the same time. */
const MOST_WAITING = 3;

/**
 * Runs drills one after another, prints their measurements and writes each outcome to `<results>/<name>.json`. In a quick run,
 * those that mostly wait come first, several at the same time.
 *
 * @param {object} options
 * @param {Readonly<Record<string, Pick<import('../drills.mjs').Drill, 'title' | 'run' | 'waits'>>>} options.drills by name
 * @param {boolean} options.quick
 * @param {string} options.results a folder
 * @returns {Promise<Map<string, string>>} failures by drill
 */
export async function runDrills({ drills, quick, results }) {
  mkdirSync(results, { recursive: true });
  const all = Object.entries(drills);
  /** @type {Map<string, string>} */
  const failures = new Map();
  /** @param {typeof all} queue */
  const runAll = async (queue) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, drill] = next;
      const outcome = await outcomeOf(drill, quick);
      writeFileSync(`${results}/${name}.json`, `${JSON.stringify({ name, ...outcome }, null, 2)}\n`);
      console.log(`\n${name}: ${drill.title}`);
      if (outcome.figures.length > 0) console.table(outcome.figures);
      console.log(outcome.held ? `held, ${outcome.seconds} s` : `DOES NOT HOLD: ${outcome.failure}`);
      if (!outcome.held) failures.set(name, outcome.failure ?? '');
    }
  };
  const waiting = all.filter(([, drill]) => quick && drill.waits);
  const others = all.filter(([, drill]) => !(quick && drill.waits));
  await Promise.all(Array.from({ length: MOST_WAITING }, async () => runAll(waiting)));
  await runAll(others);
  return failures;
}

/** @returns {Promise<{ held: boolean, seconds: number, figures: object[], failure?: string }>} with what it ran on */
async function outcomeOf({ title, run }, quick) {
  const started = Date.now();
  const about = () => ({
    title,
    quick,
    at: new Date(started).toISOString(),
    seconds: Math.round((Date.now() - started) / 1000),
    node: process.version,
    cpus: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`,
  });
  try {
    const { figures } = await run({ quick, log: (line) => console.error(line) });
    return { ...about(), held: true, figures };
  } catch (error) {
    return { ...about(), held: false, figures: error.figures ?? [], failure: error.message };
  }
}
