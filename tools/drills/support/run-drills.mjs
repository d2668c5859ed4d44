import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { pathToFileURL } from 'node:url';

/** The names of the drills in a folder: each is a file `<name>.mjs` with `title` and `run`. */
export function findDrills(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.replace(/\.mjs$/, ''))
    .sort();
}

/**
 * Runs drills one after another, prints their figures and writes each one's outcome to `<results>/<name>.json`.
 *
 * @returns {Promise<string[]>} the names of those that did not hold
 */
export async function runDrills({ folder, names, quick, results }) {
  mkdirSync(results, { recursive: true });
  const failed = [];
  for (const name of names) {
    const drill = await import(pathToFileURL(`${folder}/${name}.mjs`).href);
    console.log(`\n${name}: ${drill.title}`);
    const outcome = await outcomeOf(drill, quick);
    writeFileSync(`${results}/${name}.json`, `${JSON.stringify({ name, ...outcome }, null, 2)}\n`);
    if (outcome.figures.length > 0) console.table(outcome.figures);
    console.log(outcome.held ? `held, ${outcome.seconds} s` : `DOES NOT HOLD: ${outcome.fault}`);
    if (!outcome.held) failed.push(name);
  }
  return failed;
}

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
    return { ...about(), held: false, figures: error.figures ?? [], fault: error.message };
  }
}
