import { onPostgres } from '../on-both-databases.js';

onPostgres((registry) => {
  test('requests that arrive together do not start more jobs than a token may have open', async () => {
    const { dataSource } = registry();
    await dataSource.query(
      `CREATE FUNCTION pause_job() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_sleep(0.2); NEW.state := 'paused'; RETURN NEW; END $$`,
    );
    await dataSource.query(
      'CREATE TRIGGER pause_job BEFORE INSERT ON client_job FOR EACH ROW EXECUTE FUNCTION pause_job()',
    );
    try {
      const requests = Array.from({ length: 20 }, async () =>
        registry().ask('POST', '/clients/jobs', {
          body: { action: 'enable', filter: { label: ['job:none'] } },
        }),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 202)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    } finally {
      await dataSource.query('DROP FUNCTION pause_job CASCADE');
      await dataSource.query(`DELETE FROM client_job WHERE state = 'paused'`);
    }
  });
});
