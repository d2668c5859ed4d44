import { setImmediate as settled } from 'node:timers/promises';
import { StatementQueue } from './statement-queue.js';

test('statements are sent one after the other, in the order they were asked for', async () => {
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

test('after a fault no statement is sent, and all that were to come end with it, awaited or not', async () => {
  const queue = new StatementQueue();
  const fault = new Error('broken');
  const broken = queue.run(async () => Promise.reject(fault));
  let isSent = false;
  void queue.run(async () => {
    isSent = true;
  });
  await queue.idle();
  await settled();
  await expect(broken).rejects.toBe(fault);
  await expect(queue.run(async () => 'late')).rejects.toBe(fault);
  expect(isSent).toBe(false);
});

test('idle waits for the statement under way', async () => {
  const queue = new StatementQueue();
  let isAnswered = false;
  void queue.run(async () => {
    await settled();
    isAnswered = true;
  });
  await queue.idle();
  expect(isAnswered).toBe(true);
});
