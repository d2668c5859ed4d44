import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { startWithLowMemory } from './start-with-low-memory.js';

setFlagsFromString('--allow-natives-syntax');

let functions = 0;

/** A function that V8 has not seen before (it caches by source), called until it would be optimized. */
function warmedUp(): () => unknown {
  functions += 1;
  const work = new Function(
    `let sum = ${functions}; for (let i = 0; i < 1000; i += 1) sum += i % 7; return sum;`,
  ) as () => unknown;
  for (let count = 0; count < 5_000; count += 1) work();
  return work;
}

/** Turns at once what can be turned into optimized code. */
const optimize = new Function('work', '%OptimizeFunctionOnNextCall(work); work();') as (
  work: () => unknown,
) => void;
const prepare = new Function('work', '%PrepareFunctionForOptimization(work);') as typeof optimize;
const statusOf = new Function('work', 'return %GetOptimizationStatus(work);') as (
  work: () => unknown,
) => number;

/** Of a function's status. `--no-opt` turns off TurboFan alone, and Node.js 22 and later have another compiler, Maglev. */
const BY_TURBOFAN = 1 << 6;

async function isOptimized(): Promise<boolean> {
  const work = warmedUp();
  prepare(work);
  work();
  optimize(work);
  await sleep(50);
  work();
  return (statusOf(work) & BY_TURBOFAN) !== 0;
}

test('code is optimized once the server has started', async () => {
  const before = await isOptimized();
  const during = await startWithLowMemory(isOptimized, []);
  expect(during).not.toBe(before);
  expect(await isOptimized()).toBe(before);
});

test('code is optimized even if the server could not start', async () => {
  const before = await isOptimized();
  await expect(startWithLowMemory(() => Promise.reject(new Error('port in use')), [])).rejects.toThrow(
    'port in use',
  );
  expect(await isOptimized()).toBe(before);
});

test.each(['--no-opt', '--noopt', '--opt', '--max_opt=1', '--jitless', '"--lite-mode"'])(
  'an operator who sets %s decides about optimization, while the server starts and after',
  async (option) => {
    const before = await isOptimized();
    expect(await startWithLowMemory(isOptimized, ['--enable-source-maps', option])).toBe(before);
    expect(await isOptimized()).toBe(before);
  },
);

test('unrelated options change nothing', async () => {
  const before = await isOptimized();
  expect(await startWithLowMemory(isOptimized, ['--max-old-space-size=512'])).not.toBe(before);
});

test('options come from NODE_OPTIONS and from the command line of the process', async () => {
  const { NODE_OPTIONS } = process.env;
  const before = await isOptimized();
  try {
    process.env['NODE_OPTIONS'] = '--enable-source-maps --jitless';
    expect(await startWithLowMemory(isOptimized)).toBe(before);
    process.env['NODE_OPTIONS'] = '';
    expect(await startWithLowMemory(isOptimized)).not.toBe(before);
    process.execArgv.push('--no-opt');
    expect(await startWithLowMemory(isOptimized)).toBe(before);
  } finally {
    process.execArgv.splice(process.execArgv.indexOf('--no-opt'), 1);
    if (NODE_OPTIONS === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = NODE_OPTIONS;
  }
});
