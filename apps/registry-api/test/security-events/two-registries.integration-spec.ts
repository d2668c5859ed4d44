import { SharedPostgres } from '@svc/test-servers';
import { type RunningRegistry, runRegistry } from '../running-registry.js';
import { eventuallyRecorded, recorded, verified } from './recorded-events.js';

test('two registries that add events at the same time keep one chain', async () => {
  const server = new SharedPostgres();
  const environment = {
    DATABASE_URL: await server.createRegistryDatabase(),
    BOOTSTRAP_TOKEN: 'a-token-that-both-registries-were-given',
    SECRET_PEPPER: 'a-pepper-that-both-registries-were-given',
  };
  const registries = [await runRegistry(environment), await runRegistry(environment)] as const;
  const create = async ({ ask }: RunningRegistry, index: number) =>
    ask('POST', '/token', { body: { name: `t${index}`, scopes: ['clients:read'] } });
  // Ten callers at a time: more wait for the chain longer than a busy machine's time limit allows.
  const made = await Promise.all(
    Array.from({ length: 10 }, async (_, caller) => {
      const answers: Awaited<ReturnType<typeof create>>[] = [];
      for (let index = 0; index < 10; index++)
        answers.push(await create(registries[caller % 2 === 0 ? 0 : 1], 10 * caller + index));
      return answers;
    }),
  );
  expect(made.flat().map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 201));
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
