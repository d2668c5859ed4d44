import { RequestWindow } from './zookeeper-session.js';

test('limits requests in flight; the others wait in order, and all are sent', async () => {
  const window = new RequestWindow(3);
  let underWay = 0;
  let most = 0;
  const order: number[] = [];
  const run = async (index: number) => {
    await window.enter();
    order.push(index);
    most = Math.max(most, (underWay += 1));
    await Promise.resolve();
    underWay -= 1;
    window.leave();
  };
  await Promise.all(Array.from({ length: 5_000 }, async (_, index) => run(index)));
  expect(most).toBe(3);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});
