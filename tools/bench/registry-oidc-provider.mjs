// A peer in the registry's benchmark: the registration endpoint of npm's oidc-provider, which keeps Clients in memory.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}`;
  const provider = new Provider(url, {
    features: {
      registration: { enabled: true, initialAccessToken: false },
      devInteractions: { enabled: false },
    },
  });
  server.on('request', provider.callback());
  console.log(JSON.stringify({ url }));
});
