// `npm run drill`: does to the services what happens to them in earnest, and measures how they bear it.
//   npm run drill                        all drills of tools/drills, one after another
//   npm run drill -- registry-kill       some of them
//   npm run drill -- --quick             few rounds: does it hold at all?
//   npm run drill -- --no-build          on what has been built already
// What each found lies in .nx/drills/<name>.json. The status is 1 when one does not hold.
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { findDrills, runDrills } from './drills/support/run-drills.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const known = findDrills(`${root}tools/drills`);

const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no drill called ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(2);
}

if (!words.includes('--no-build')) build();
const failed = await runDrills({
  folder: `${root}tools/drills`,
  names: wanted.length > 0 ? wanted : known,
  quick: words.includes('--quick'),
  results: `${root}.nx/drills`,
});
if (failed.length > 0) console.error(`\nnot held: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
