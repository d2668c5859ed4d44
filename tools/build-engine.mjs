// Compiles the engine of lookup builds to WebAssembly, and writes it into a module, so that no package, bundle or image needs
// a file beside its code:
//
//   node tools/build-engine.mjs [--check]
//
// --check compares the module with the source instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { format, resolveConfig } from 'prettier';

const FOLDER = 'libs/iplookup-core/src/scan';
const TARGET = fileURLToPath(new URL(`../${FOLDER}/engine-bytes.ts`, import.meta.url));

const bytes = await compile();
const module = await format(
  `/** The compiled engine: run \`npm run engine\` after changes of \`assembly/\`. */
export const ENGINE = '${Buffer.from(bytes).toString('base64')}';`,
  { ...(await resolveConfig(TARGET)), parser: 'typescript' },
);
if (!process.argv.includes('--check')) writeFileSync(TARGET, module);
else if (readFileSync(TARGET, 'utf8') !== module) {
  process.stderr.write(`${FOLDER}/engine-bytes.ts differs from its source: run npm run engine\n`);
  process.exitCode = 1;
}

/** @returns {Promise<Uint8Array>} */
async function compile() {
  /** @type {Uint8Array | undefined} */
  let output;
  const { error, stderr } = await asc.main(
    [
      `${FOLDER}/assembly/engine.ts`,
      ...['--outFile', 'engine.wasm', '--runtime', 'stub', '-O3', '--noAssert', '--zeroFilledMemory'],
      ...['--enable', 'simd', '--importMemory', '--use', 'abort='],
    ],
    {
      readFile: (name) => readSource(name),
      writeFile: (name, content) => {
        if (name === 'engine.wasm' && typeof content !== 'string') output = content;
      },
    },
  );
  if (error) throw new Error(stderr.toString(), { cause: error });
  if (output === undefined) throw new Error('the compiler wrote nothing');
  return output;
}

/** @returns null if there is none, as the compiler expects */
function readSource(name) {
  try {
    return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  } catch {
    return null;
  }
}
