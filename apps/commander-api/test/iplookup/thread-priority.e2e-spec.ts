import { getPriority } from 'node:os';
// The build's: a thread needs a file that Node can run.
import { runInThread } from '../../compiled/iplookup/build/build-in-thread.js';

const RUN_THREAD_TASK = new URL('../../compiled/iplookup/build/run-thread-task.js', import.meta.url).href;
const PROGRAM = `
  import { getPriority } from 'node:os';
  import { runThreadTask } from '${RUN_THREAD_TASK}';
  await runThreadTask(async () => getPriority());
`;

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a thread that works on a whole lookup gives way to requests', async () => {
  const before = getPriority();
  const program = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`);
  const { signal } = new AbortController();
  expect(await runInThread<number>(program, {}, [], signal)).toEqual({ summary: Math.min(19, before + 5) });
  expect(getPriority()).toBe(before);
});
