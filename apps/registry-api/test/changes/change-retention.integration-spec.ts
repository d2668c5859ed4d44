import { ChangePruner } from '../../src/changes/change-pruner.js';
import { onPostgres } from '../on-both-databases.js';
import { registration } from '../running-registry.js';
import { FollowedChanges } from './followed-changes.js';

onPostgres(
  (registry) => {
    const list = async (query: string) => registry().ask('GET', `/clients/changes${query}`);
    const seqsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
      (body['changes'] as { seq: number }[]).map(({ seq }) => seq);
    const age = async (days: number, ...seqs: number[]) =>
      registry().dataSource.query(
        `UPDATE client_change SET at = now() - $1 * interval '1 day' WHERE seq = ANY ($2)`,
        [days, seqs],
      );
    const prune = async () => registry().service.app.get(ChangePruner).prune(new Date());
    const GONE =
      'The changes that follow are no longer kept; read all clients again (GET /clients/export) and continue from the ' +
      'Change-Seq returned with them.';
    const cursors = new Map<number, string>();

    test('changes of the last days are kept', async () => {
      for (let count = 0; count < 6; count += 1) {
        await registry().ask('POST', '/client', { body: registration() });
      }
      await age(29, 1, 2);
      expect(await prune()).toBe(0);
      const answer = await list('?since=0');
      expect(seqsOf(answer)).toEqual([1, 2, 3, 4, 5, 6]);
      for (const { seq, cursor } of answer.body['changes'] as { seq: number; cursor: string }[]) {
        cursors.set(seq, cursor);
      }
    });

    test('older ones are deleted, up to the first that is recent enough; readers that missed them are told', async () => {
      await age(31, 1, 2, 4);
      expect(await prune()).toBe(2);
      expect(await prune()).toBe(0);
      for (const since of ['0', cursors.get(1)]) {
        const { status, body } = await list(`?since=${since}`);
        expect([status, body['detail']]).toEqual([410, GONE]);
      }
      expect(seqsOf(await list(`?since=${cursors.get(3)}`))).toEqual([4, 5, 6]);
      await expect(
        FollowedChanges.open(registry(), registry().token, { since: cursors.get(1)! }),
      ).rejects.toThrow(`410 ${GONE}`);
    });

    test('without `since` a page begins with the oldest kept change', async () => {
      expect(seqsOf(await list(''))).toEqual([3, 4, 5, 6]);
    });

    test('the last change stays, so that the feed knows where it ended', async () => {
      await age(31, 3, 4, 5, 6);
      expect(await Promise.all([prune(), prune(), prune()])).toContain(3);
      const last = cursors.get(6);
      expect((await list(`?since=${last}`)).body).toEqual({ changes: [], last_seq: last });
      expect(seqsOf(await list(''))).toEqual([6]);
      expect((await list(`?since=${cursors.get(5)}`)).status).toBe(410);
      expect((await list('?since=7')).status).toBe(410);
      expect(seqsOf(await list('?newest=20'))).toEqual([6]);
      expect((await registry().ask('GET', '/client')).body['clients']).toHaveLength(6);
    });

    test('thousands are deleted in several steps', async () => {
      await registry().dataSource.query(
        `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address)
         SELECT next_change_seq(), 'a', 'deleted', now() - interval '31 days', 'a', 'a', '::1'
         FROM generate_series(1, 4500)`,
      );
      expect(await prune()).toBe(4_500);
      expect(seqsOf(await list(''))).toEqual([4_506]);
    });

    test('a reader who saw the last change continues, although an earlier version deleted it, too', async () => {
      const { dataSource } = registry();
      await dataSource.query('UPDATE change_retention SET pruned_to = 4506');
      await dataSource.query('DELETE FROM client_change WHERE seq = 4506');
      expect(await list('?since=4506')).toMatchObject({ status: 200, body: { changes: [] } });
      expect((await list('?since=4505')).status).toBe(410);
    });
  },
  { CHANGE_RETENTION_DAYS: '30' },
);
