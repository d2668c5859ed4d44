// Removes a tree of nodes and svccmd's records of it. Left behind, the trees would fill the server's memory, and the
// records would make each later load raise the nodes' versions, which is a write more per node and round.
//   node library-clear.mjs <host:port> <node>...
import { createRequire } from 'node:module';

const load = createRequire(new URL('../../libs/zookeeper-store/package.json', import.meta.url));
const zookeeper = load('node-zookeeper-client');
const [address, ...roots] = process.argv.slice(2);

const client = zookeeper.createClient(address, { sessionTimeout: 10_000 });
await new Promise((resolve) => {
  client.once('connected', () => resolve(undefined));
  client.connect();
});
for (const root of roots.flatMap((node) => [node, `/svccmd/libraries${node}`])) {
  if (!(await call((done) => client.exists(root, done)))) continue;
  const paths = await childrenFirst(root);
  for (let start = 0; start < paths.length; start += 500) {
    const transaction = client.transaction();
    for (const path of paths.slice(start, start + 500)) transaction.remove(path);
    await call((done) => transaction.commit(done));
  }
}
client.close();

/** Skips names with a dot, which are files: listing their children would take the driver quadratic time. */
async function childrenFirst(path) {
  if (path.includes('.')) return [path];
  const children = await call((done) => client.getChildren(path, done));
  const below = await Promise.all(children.map((child) => childrenFirst(`${path}/${child}`)));
  return [...below.flat(), path];
}

function call(send) {
  return new Promise((resolve, reject) => send((error, value) => (error ? reject(error) : resolve(value))));
}
