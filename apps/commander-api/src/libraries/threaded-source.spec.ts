import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { heapLimitMib, ThreadedSource } from './threaded-source.js';

test('when a load was stopped before it reads, a destination that fails as well does not end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): number => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const source = new ThreadedSource({ address: tmpdir() });
    const passed = async (): Promise<never> => {
      await setImmediate();
      throw new Error('the destination is away');
    };
    const options = {
      names: 'any',
      versionNode: undefined,
      exclude: [],
      maxBytes: 1,
      allowEmpty: false,
    } as const;
    const reading = source.readChecked(options, { signal: AbortSignal.abort(new Error('stopped')), passed });
    await expect(reading).rejects.toThrow('stopped');
    await setImmediate();
    await setImmediate();
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test.each<[string, number, string[]]>([
  ['no option', 1024, ['--enable-source-maps']],
  ['an option', 512, ['--max-old-space-size=512']],
  ['the last of several', 256, ['--max_old_space_size=4096', '--max-old-space-size=256']],
])("the heap limit of a source's thread with %s is %i MiB", (_case, mib, options) => {
  expect(heapLimitMib(options)).toBe(mib);
});
