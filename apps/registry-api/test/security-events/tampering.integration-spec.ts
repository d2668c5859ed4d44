import { createHmac } from 'node:crypto';
import { BrokenRecordError } from '../../src/security-events/verify/audit.errors.js';
import { onPostgres } from '../on-both-databases.js';
import { eventuallyRecorded, prunerOf, recorded, verified } from './recorded-events.js';

const DAY_MS = 24 * 3_600_000;

onPostgres((registry) => {
  const sql = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    registry().dataSource.query(text, values);
  const tables = ['security_event', 'security_event_chain'];

  beforeAll(async () => {
    for (let count = 0; count < 5; count += 1) {
      await registry().ask('POST', '/token', { body: { name: `t${count}`, scopes: ['clients:read'] } });
    }
    await eventuallyRecorded(registry(), 'kind=token_first_used', [{ actor: { name: 'bootstrap' } }]);
    for (const table of tables) await sql(`CREATE TABLE kept_${table} AS TABLE ${table}`);
    await sql('ALTER TABLE security_event DISABLE TRIGGER security_event_stays');
  });
  afterEach(async () => {
    for (const table of tables) {
      await sql(`DELETE FROM ${table}`);
      await sql(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
    }
    await expect(verified(registry())).resolves.toMatchObject({ events: expect.any(Number) });
  });

  const rewind = `UPDATE security_event_chain SET (head_seq, head_mac, head_key_id) =
    (SELECT seq, mac, key_id FROM security_event ORDER BY seq DESC LIMIT 1)`;

  /** Without the pepper, an anchor's proof can only be guessed. */
  const madeUpAnchor = [
    `UPDATE security_event_chain SET (anchor_seq, anchor_mac, anchor_key_id, anchor_proof) =
      (SELECT seq, mac, key_id, mac FROM security_event WHERE seq = 2)`,
    'DELETE FROM security_event WHERE seq <= 2',
  ];

  test.each<[string, string[], string]>([
    ['a changed name', [`UPDATE security_event SET actor_name = 'bob' WHERE seq = 3`], 'event 3'],
    ['a changed source', [`UPDATE security_event SET actor_source = 'shell' WHERE seq = 3`], 'event 3'],
    [
      'changed details',
      [`UPDATE security_event SET details = '{"name":"x"}' WHERE seq = 2`],
      'event 2 of .* does not match',
    ],
    [
      'details in another spelling',
      [`UPDATE security_event SET details = (details::jsonb)::json WHERE seq = 2`],
      'event 2 of .* does not match',
    ],
    ['a changed time', [`UPDATE security_event SET at = at - interval '1 s' WHERE seq = 4`], 'event 4'],
    [
      'text moved to the next column',
      [`UPDATE security_event SET actor_id = actor_id || actor_name, actor_name = '' WHERE seq = 3`],
      'event 3',
    ],
    ['a removed row', ['DELETE FROM security_event WHERE seq = 3'], 'event 3 is missing'],
    [
      'a removed row, the later ones moved up',
      [
        'DELETE FROM security_event WHERE seq = 3',
        'UPDATE security_event SET seq = -seq WHERE seq > 3',
        'UPDATE security_event SET seq = -seq - 1 WHERE seq < 0',
        rewind,
      ],
      'event 3 of .* does not match',
    ],
    [
      'two rows in each other’s place',
      [
        'UPDATE security_event SET seq = -seq WHERE seq IN (3, 4)',
        'UPDATE security_event SET seq = 7 + seq WHERE seq < 0',
      ],
      'event 3 of .* does not match',
    ],
    ['a removed first row', ['DELETE FROM security_event WHERE seq = 1'], 'event 1 is missing'],
    ['a removed tail', ['DELETE FROM security_event WHERE seq > 3'], 'the audit log ends at event 3'],
    [
      'a removed tail, the head moved back',
      ['DELETE FROM security_event WHERE seq > 3', rewind],
      'the head of the audit log, event 3, has no valid proof',
    ],
    [
      'removed old rows with an anchor',
      [...madeUpAnchor],
      'the audit log begins after event 2 without a valid proof',
    ],
    [
      'a row added behind the head',
      [
        `INSERT INTO security_event SELECT seq + 1, at, kind, actor_id, actor_name, actor_source, address, subject,
          details, key_id, mac FROM security_event ORDER BY seq DESC LIMIT 1`,
      ],
      'does not match its MAC',
    ],
  ])('%s is found', async (_case, statements, message) => {
    for (const statement of statements) await sql(statement);
    await expect(verified(registry())).rejects.toThrow(new RegExp(message));
  });

  test('a chain rewritten with another key is found, whatever pepper it names', async () => {
    const rows = await sql(`SELECT seq, key_id FROM security_event ORDER BY seq`);
    for (const { seq } of rows) {
      const mac = createHmac('sha256', 'a guess').update(String(seq)).digest();
      await sql('UPDATE security_event SET mac = $2 WHERE seq = $1', [seq, mac]);
    }
    await sql(rewind);
    await expect(verified(registry())).rejects.toThrow('event 1 of');
    await sql(`UPDATE security_event SET key_id = '0123456789abcdef'`);
    await expect(verified(registry())).rejects.toThrow(
      'event 1 was recorded with the pepper 0123456789abcdef, which SECRET_PEPPER does not list',
    );
  });

  test('a record that was put back to an earlier state is found by an event noted before', async () => {
    const { last } = await verified(registry());
    await registry().ask('POST', '/token', { body: { name: 'lost', scopes: ['clients:read'] } });
    const noted = await verified(registry());
    await expect(verified(registry(), last)).resolves.toEqual(noted);
    for (const table of tables) {
      await sql(`DELETE FROM ${table}`);
      await sql(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
    }
    await expect(verified(registry())).resolves.toMatchObject({ last });
    await expect(verified(registry(), noted.last)).rejects.toThrow('does not contain event');
  });

  test('the registry does not cover up what it finds: its next event says so', async () => {
    await sql('DELETE FROM security_event WHERE seq > 3');
    await sql(rewind);
    await registry().ask('POST', '/token', { body: { name: 'next', scopes: ['clients:read'] } });
    const [next, broken] = await recorded(registry());
    expect([broken, next]).toMatchObject([
      { seq: 4, kind: 'record_broken', details: { reason: 'wrong_proof', after: 3 } },
      { seq: 5, kind: 'token_created', details: { name: 'next' } },
    ]);
    await expect(verified(registry())).rejects.toThrow('the registry found the audit log changed');
  });

  const backDate = `UPDATE security_event SET at = '2020-01-01' WHERE seq <= 3`;

  test.each<[string, string[], string, number]>([
    ['back-dated', [backDate], 'wrong_mac', 0],
    ['back-dated beyond all time', [backDate.replace('2020-01-01', '-infinity')], 'wrong_mac', 0],
    [
      'back-dated, the first ones removed',
      ['DELETE FROM security_event WHERE seq < 3', backDate],
      'wrong_mac',
      0,
    ],
    ['back-dated, an anchor made up', [...madeUpAnchor, backDate], 'wrong_anchor', 2],
  ])(
    'events that were %s are kept, and the record says so once',
    async (_case, statements, reason, after) => {
      for (const statement of statements) await sql(statement);
      const texts = 'SELECT seq, kind, details, at::text FROM security_event ORDER BY seq';
      const before = await sql(texts);
      for (let round = 0; round < 2; round += 1) expect(await prunerOf(registry()).prune(new Date())).toBe(0);
      const report = { kind: 'record_broken', details: { reason, after } };
      expect(await sql(texts)).toEqual([...before, expect.objectContaining(report)]);
      await expect(verified(registry())).rejects.toThrow(BrokenRecordError);
    },
  );

  test('events before a changed one are deleted once they are old', async () => {
    await sql(`UPDATE security_event SET subject = 'x' WHERE seq = 3`);
    expect(await prunerOf(registry()).prune(new Date(Date.now() + 401 * DAY_MS))).toBe(2);
    expect(await recorded(registry(), 'kind=record_broken')).toMatchObject([
      { details: { reason: 'wrong_mac', after: 2 } },
    ]);
    await expect(verified(registry())).rejects.toThrow('event 3 of');
    expect(await prunerOf(registry()).prune(new Date(Date.now() + 401 * DAY_MS))).toBe(0);
    expect(await recorded(registry(), 'kind=record_broken')).toHaveLength(1);
  });

  test('what is old is deleted, and the rest still verifies', async () => {
    const { events, last } = await verified(registry());
    expect(await prunerOf(registry()).prune(new Date(Date.now() + 399 * DAY_MS))).toBe(0);
    expect(await prunerOf(registry()).prune(new Date(Date.now() + 401 * DAY_MS))).toBe(events);
    expect(await verified(registry())).toEqual({ events: 0 });
    await registry().ask('POST', '/token', { body: { name: 'after', scopes: ['clients:read'] } });
    expect(await verified(registry(), last)).toMatchObject({ events: 1 });
    await expect(verified(registry(), `1-${'0'.repeat(64)}`)).rejects.toThrow('deleted because of its age');
  });
});

onPostgres((registry) => {
  test.each(['UPDATE security_event SET subject = subject', 'TRUNCATE security_event'])(
    'by mistake nothing is changed: %s',
    async (statement) => {
      await expect(registry().dataSource.query(statement)).rejects.toThrow('cannot be changed');
    },
  );
});
