import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases } from '../on-both-databases.js';
import { type Answer, pathOf, registration } from '../running-registry.js';

type Members = Record<string, unknown>;

onBothDatabases((registry) => {
  const registered = async (labels: Members) =>
    String((await registry().ask('POST', '/client', { body: registration({ labels }) })).body['client_id']);
  const labelsOf = async (clientId: string) => (await registry().ask('GET', pathOf(clientId))).body['labels'];
  const ended = async ({ headers }: Answer): Promise<Members> => {
    for (;;) {
      const { body } = await registry().ask('GET', headers.get('location') ?? '');
      if (body['finished_at'] !== undefined) return body;
      await sleep(20);
    }
  };
  const patched = async (client_ids: string[], labels: Members | null) =>
    ended(
      await registry().ask('POST', '/clients/jobs', {
        body: { action: 'patch', client_ids, patch: { labels } },
      }),
    );
  const undo = async ({ id }: Members) =>
    ended(await registry().ask('POST', `/clients/jobs/${String(id)}/undo`));

  test('undo removes the labels that the job added, and puts the others back', async () => {
    const before = { team: 'shop', tier: 'silver' };
    const ids = [await registered(before), await registered(before)];
    const after = { team: 'shop', tier: 'gold', stage: 'test' };
    const job = await patched(ids, { tier: 'gold', stage: 'test' });
    for (const id of ids) expect(await labelsOf(id)).toEqual(after);
    const undone = await undo(job);
    expect(undone).toMatchObject({ changed: 2, unchanged: 0, failed: 0 });
    for (const id of ids) expect(await labelsOf(id)).toEqual(before);
    expect(await undo(undone)).toMatchObject({ changed: 2 });
    for (const id of ids) expect(await labelsOf(id)).toEqual(after);
  });

  test.each<[string, Members, Members | null]>([
    ['there were none', {}, { tier: 'gold' }],
    ['the job removed all', { team: 'shop' }, null],
    ['the job removed one and added another', { team: 'shop' }, { team: null, tier: 'gold' }],
  ])('undo restores them where %s', async (_case, before, labels) => {
    const id = await registered(before);
    const found = await labelsOf(id);
    expect(await undo(await patched([id], labels))).toMatchObject({ changed: 1 });
    expect(await labelsOf(id)).toEqual(found);
  });
});
