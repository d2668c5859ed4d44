// `npm run bench`: every result is a ratio to a floor or peer measured in the same run, since machines differ and are
// noisy.
//   npm run bench                     all benchmarks
//   npm run bench -- iplookup         selected ones
//   npm run bench -- --quick          small inputs, as a smoke test
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { readCommandLine } from './setup/command-line.mjs';

const folder = fileURLToPath(new URL('bench/', import.meta.url));
const {
  words: wanted,
  flags: { quick },
} = readCommandLine(['quick']);
const known = readdirSync(folder)
  .filter((file) => /^[a-z]+\.mjs$/.test(file))
  .map((file) => file.replace('.mjs', ''));

const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark called ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(2);
}

build();
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`);
const result = {};
for (const name of wanted.length > 0 ? wanted : known) {
  const { run } = await import(pathToFileURL(`${folder}${name}.mjs`).href);
  console.log(`\n${name}`);
  const { rows, ratios } = await run({ quick, log: (line) => console.error(line) });
  console.table(rows);
  console.log(
    Object.entries(ratios)
      .map(([ratio, value]) => `${ratio}: ${round(value)}`)
      .join('\n'),
  );
  result[name] = { rows, ratios };
}
console.log(`RESULT ${JSON.stringify(result)}`);

function round(value) {
  return Math.round(value * 1000) / 1000;
}
