import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { listeningAddress } from '../src/listening-address.js';

const run = (script: string) =>
  spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });

test('the address is found however the log is chunked', async () => {
  const child = run(`
    process.stdout.write('{"message":"starts"}\\n{"message":"listens","ur');
    setTimeout(() => process.stdout.write('l":"http://127.0.0.1:4711"}\\n'), 100);
    setTimeout(() => process.stdout.write('x'.repeat(1_000_000)), 200);
  `);
  const closed = once(child, 'close');
  await expect(listeningAddress(child)).resolves.toBe('http://127.0.0.1:4711');
  // Later output must be read, too, or the service would block on a full pipe.
  await expect(closed).resolves.toEqual([0, null]);
});

test('a service that exits instead is reported with its output', async () => {
  const child = run(`console.error('PORT: "x" is no number'); process.exitCode = 78;`);
  await expect(listeningAddress(child)).rejects.toThrow('ended with status 78: PORT: "x" is no number');
});
