// The floor: the same nodes in batches of 100 creates, eight in flight, without checks, comparison or records.
//   node library-floor.mjs <host:port> <node> <folder>
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const load = createRequire(new URL('../../libs/zookeeper-store/package.json', import.meta.url));
const zookeeper = load('node-zookeeper-client');
const [address, root, folder] = process.argv.slice(2);
const BATCH = { operations: 100, bytes: 900_000, inFlight: 8 };

const client = zookeeper.createClient(address, { sessionTimeout: 10_000 });
await new Promise((resolve) => {
  client.once('connected', () => resolve(undefined));
  client.connect();
});
const started = performance.now();
const batches = [];
let operations = [];
let bytes = 0;
add(root, null);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).sort(byPath)) {
  const path = join(entry.parentPath, entry.name);
  add(root + path.slice(folder.length), entry.isFile() ? readFileSync(path) : null);
}
batches.push(operations);
let next = 0;
await Promise.all(Array.from({ length: BATCH.inFlight }, send));
console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000 }));
client.close();

function add(path, content) {
  if (operations.length === BATCH.operations || bytes + (content?.length ?? 0) > BATCH.bytes) {
    batches.push(operations);
    operations = [];
    bytes = 0;
  }
  operations.push([path, content]);
  bytes += content?.length ?? 0;
}

async function send() {
  while (next < batches.length) {
    const transaction = client.transaction();
    for (const [path, content] of batches[next++]) transaction.create(path, content ?? Buffer.alloc(0));
    await new Promise((resolve, reject) =>
      transaction.commit((error) => (error ? reject(error) : resolve(undefined))),
    );
  }
}

/** Parents before children. */
function byPath(a, b) {
  return join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;
}
