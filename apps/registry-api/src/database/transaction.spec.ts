import { setImmediate as settled } from 'node:timers/promises';
import { StatementQueue } from './transaction.js';

test('a queue sends statements one after the other, in order', async () => {
  const queue = new StatementQueue();
  const events: string[] = [];
  const statement = (name: string) => async () => {
    events.push(`${name} sent`);
    await settled();
    events.push(`${name} answered`);
    return name;
  };
  const answers = ['one', 'two'].map(async (name) => queue.run(statement(name)));
  expect(await Promise.all(answers)).toEqual(['one', 'two']);
  expect(events).toEqual(['one sent', 'one answered', 'two sent', 'two answered']);
});

test('after a failure a queue sends no statement, and all later ones reject with it, awaited or not', async () => {
  const queue = new StatementQueue();
  const failure = new Error('broken');
  const broken = queue.run(async () => Promise.reject(failure));
  let isSent = false;
  void queue.run(async () => {
    isSent = true;
  });
  await queue.idle();
  await settled();
  await expect(broken).rejects.toBe(failure);
  await expect(queue.run(async () => 'late')).rejects.toBe(failure);
  expect(isSent).toBe(false);
});

test('idle waits for the running statement', async () => {
  const queue = new StatementQueue();
  let isAnswered = false;
  void queue.run(async () => {
    await settled();
    isAnswered = true;
  });
  await queue.idle();
  expect(isAnswered).toBe(true);
});
