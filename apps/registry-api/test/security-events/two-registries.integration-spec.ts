import { SharedPostgres } from '@svc/test-servers';
import { runRegistry } from '../running-registry.js';
import { eventuallyRecorded, recorded, verified } from './recorded-events.js';
import { tenAtATime } from './ten-at-a-time.js';

test('two registries that add events at the same time keep one chain', async () => {
  const server = new SharedPostgres();
  const environment = {
    DATABASE_URL: await server.createRegistryDatabase(),
    BOOTSTRAP_TOKEN: 'a-token-that-both-registries-were-given',
    SECRET_PEPPER: 'a-pepper-that-both-registries-were-given',
  };
  const registries = [await runRegistry(environment), await runRegistry(environment)] as const;
  const create = (index: number) => async () => {
    const { ask } = registries[index % 2 === 0 ? 0 : 1];
    return ask('POST', '/token', { body: { name: `t${index}`, scopes: ['clients:read'] } });
  };
  const made = await tenAtATime(Array.from({ length: 100 }, (_, index) => create(index)));
  expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 201));
  const events = await recorded(registries[0], 'kind=token_created');
  expect(events).toHaveLength(101);
  // The last one that is recorded off the path of requests.
  await eventuallyRecorded(registries[1], 'kind=token_first_used', [{}]);
  const all = await recorded(registries[1]);
  expect(all.map(({ seq }) => seq)).toEqual(Array.from(all, (_, index) => all.length - index));
  expect(await verified(registries[0], undefined, [environment.SECRET_PEPPER])).toMatchObject({
    events: all.length,
  });
  for (const registry of registries) await registry.close();
  await server.dropDatabases();
});
