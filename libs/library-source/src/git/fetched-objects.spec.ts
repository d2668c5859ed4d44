import { ContentStore } from '@svc/foundation/files';
import { entry, pack } from '@svc/test-servers/git-pack';
import { FetchedObjects } from './fetched-objects.js';

test('a pack that announces too many objects is refused before the rest is received', async () => {
  const objects = pack([entry('blob', Buffer.alloc(0))], 1_001);
  let received = 0;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let pos = 0; pos < objects.length; pos += 8) {
      const chunk = objects.subarray(pos, pos + 8);
      received += chunk.length;
      yield chunk;
    }
  };
  const limits = { maxBytes: 1e9, maxObjects: 1_000 };
  const fetched = new FetchedObjects(
    new ContentStore(),
    () => undefined,
    new AbortController().signal,
    limits,
  );
  await expect(fetched.add(chunks())).rejects.toThrow('it has 1001 objects, more than 1000');
  expect(received).toBe(16);
});
