import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MODULE = new URL('../dist/index.js', import.meta.url).href;

/** Enough for a collection to happen while a key is exported: the key of `generateKeyPairSync` hangs Node 20 within 2,100. */
const PAIRS = 4_000;

const PROGRAM = `
  import { KeyPair, toJwkText } from '${MODULE}';
  for (let count = 0; count < ${PAIRS}; count += 1) toJwkText([KeyPair.generate('P-256')]);
  console.log('done');
`;

test('a garbage collection while a new pair is exported does not hang the process', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-semi-space-size=1', '--single-threaded-gc', '--input-type=module', '--eval', PROGRAM],
    { timeout: 60_000 },
  );
  expect(stdout).toBe('done\n');
});
