import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@svc/test-servers';
import { makeFolder } from './support/library-folder.js';
import { startServer } from './support/server.js';

const SECRET = 'hook-secret-of-this-test-0123456789';

test('a push is loaded once the command that prints the key works again', async () => {
  const folder = await makeFolder({ 'library/a.yaml': 'a: 1\n' });
  const key = join(folder, 'key');
  const server = await startServer({
    SVCCMD_SOURCE_PATH: join(folder, 'library'),
    SVCCMD_SOURCE_WEBHOOK_SECRET: SECRET,
    SVCCMD_DESTINATION_URLS: `file://${folder}/stored`,
    SVCCMD_VALIDATE_SEALED: '*password*',
    SVCCMD_PWDENCRYPTOR_KEY_COMMAND: `cat ${key}`,
  });
  const metrics = async (): Promise<string> => (await server.fetch('/metrics')).text();
  try {
    const response = await fetch(`${server.url}/library/webhook`, {
      method: 'POST',
      body: '{}',
      headers: {
        'content-type': 'application/json',
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-token': SECRET,
      },
    });
    expect(response.status).toBe(202);
    await eventually(async () => expect(server.log()).toContain('retrying the load of a push'));
    expect(await metrics()).toMatch(/^library_loads_total\{[^}]*result="failed"[^}]*\} 1$/m);
    expect(await metrics()).toMatch(/^library_consecutive_failures\{[^}]*\} [1-9]\d*$/m);
    await writeFile(key, randomBytes(32));
    await eventually(async () =>
      expect(await metrics()).toMatch(/^library_loads_total\{[^}]*result="loaded"[^}]*\} 1$/m),
    );
    expect(await metrics()).toMatch(/^library_consecutive_failures\{[^}]*\} 0$/m);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});
