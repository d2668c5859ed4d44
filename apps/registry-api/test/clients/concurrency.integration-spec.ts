import { onBothDatabases } from '../on-both-databases.js';
import { pathOf, registration, untilServed } from '../running-registry.js';

const WRITERS = 50;

onBothDatabases((registry, isThorough) => {
  test.each(['PUT', 'PATCH'])(
    'of 50 at once that %s with the same ETag exactly one wins, round by round',
    async (method) => {
      const made = await registry().ask('POST', '/client', { body: registration() });
      const path = pathOf(made.body['client_id']);
      const rounds = isThorough ? 3 : 1;
      let etag = made.headers.get('etag') ?? '';
      for (let round = 0; round < rounds; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: WRITERS }, async (_, writer) =>
            untilServed(async () =>
              registry().ask(method, path, {
                body: registration({ client_name: `Round ${round} of ${writer}` }),
                headers: { 'if-match': etag },
              }),
            ),
          ),
        );
        const winners = answers.filter(({ status }) => status === 200);
        expect(winners).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 412)).toHaveLength(WRITERS - 1);
        etag = winners[0]?.headers.get('etag') ?? '';
        const read = await registry().ask('GET', path);
        expect([read.body, read.headers.get('etag')]).toEqual([winners[0]?.body, etag]);
      }
      const rows = await registry().dataSource.query('SELECT kind FROM client_change WHERE client_id = $1', [
        made.body['client_id'],
      ]);
      expect(rows).toHaveLength(1 + rounds);
    },
  );

  test('of 50 concurrent requests with one preferred_client_id one gets 201, the rest 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, async () =>
        untilServed(async () =>
          registry().ask('POST', '/client', { body: registration({ preferred_client_id: 'wanted by all' }) }),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(WRITERS - 1);
  });
});
