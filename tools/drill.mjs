// `npm run drill`: exposes the services to production failures, and measures how they cope.
//   npm run drill                        all drills of tools/drills/drills.mjs, one after another
//   npm run drill -- registry-kill       selected ones
//   npm run drill -- --quick             a few rounds each, as in CI for every change, without the slow ones
//   npm run drill -- --no-build          without building first
// Results are written to .nx/drills/<name>.json. The exit code is 1 if a drill fails.
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { DRILLS } from './drills/drills.mjs';
import { runDrills } from './drills/support/run-drills.mjs';
import { readCommandLine } from './setup/command-line.mjs';
import { ensureDebianPackages } from './setup/debian-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { words: wanted, flags } = readCommandLine(['quick', 'no-build']);
const known = Object.keys(DRILLS);

const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no drill called ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(2);
}

const { quick } = flags;
const isChosen = (name) => (wanted.length === 0 ? !(quick && DRILLS[name]?.isSlow) : wanted.includes(name));

ensureDebianPackages();
if (!flags['no-build']) build();
const failures = await runDrills({
  drills: Object.fromEntries(Object.entries(DRILLS).filter(([name]) => isChosen(name))),
  quick,
  results: `${root}.nx/drills`,
});
// Again, since much may have been printed after them.
for (const [name, failure] of failures) console.error(`\nfailed: ${name}: ${failure}`);
process.exitCode = failures.size > 0 ? 1 : 0;
