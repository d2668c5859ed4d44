import { setTimeout as sleep } from 'node:timers/promises';
import { PendingDeletions } from '../../src/registration/pending-deletions.js';
import { onPostgres } from '../on-both-databases.js';
import { pathOf, registration } from '../running-registry.js';

type Members = Record<string, unknown>;

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);

onPostgres(
  (registry) => {
    const run = async (path: string, body?: unknown): Promise<Members> => {
      const { headers } = await registry().ask('POST', path, { body });
      for (;;) {
        const job = await registry().ask('GET', headers.get('location') ?? '');
        if (job.body['finished_at'] !== undefined) return job.body;
        await sleep(20);
      }
    };
    const undo = async ({ id }: Members) => run(`/clients/jobs/${String(id)}/undo`);

    test('a Client awaits approval again, for a week, whenever the job that approved it is undone', async () => {
      const { body: client } = await registry().ask('POST', '/client', { body: registration() });
      const id = String(client['client_id']);
      const read = async () => (await registry().ask('GET', pathOf(id))).body;
      await registry().dataSource.query(
        `UPDATE client SET enabled = false, pending = true, created_at = now() - interval '8 days' WHERE client_id = $1`,
        [id],
      );
      const approved = await run('/clients/jobs', { action: 'enable', filter: { pending: true } });
      expect(await read()).toMatchObject({ enabled: true });
      const undone = await undo(approved);
      expect(await read()).toMatchObject({ enabled: false, pending: true });
      const deletions = registry().service.app.get(PendingDeletions, { strict: false });
      expect(await deletions.delete()).toBe(0);
      const redone = await undo(undone);
      expect(await read()).toMatchObject({ enabled: true });
      expect(await read()).not.toHaveProperty('pending');
      await undo(redone);
      expect(await read()).toMatchObject({ enabled: false, pending: true });
      // Its history may be kept for less than a week.
      await registry().dataSource.query('DELETE FROM client_change WHERE client_id = $1', [id]);
      expect(await deletions.delete(inDays(6))).toBe(0);
      expect(await deletions.delete(inDays(8))).toBe(1);
    });

    test('a Client that another job enabled is only disabled when that is undone', async () => {
      const { body: client } = await registry().ask('POST', '/client', { body: registration() });
      const ids = { client_ids: [client['client_id']] };
      await run('/clients/jobs', { action: 'disable', ...ids });
      await undo(await run('/clients/jobs', { action: 'enable', ...ids }));
      const { body } = await registry().ask('GET', pathOf(client['client_id']));
      expect(body).toMatchObject({ enabled: false });
      expect(body).not.toHaveProperty('pending');
    });
  },
  { REGISTRATION: 'open' },
);
