// `npm run example:authorization-server`: an authorization server on the registry, and an application that signs people
// in there (docs/authorization-server.md). Ports: AUTHORIZATION_SERVER_PORT, APPLICATION_PORT, REGISTRY_PORT.
//   npm run example:authorization-server -- --no-build     without building first
import { build } from './build.mjs';

if (!process.argv.includes('--no-build')) {
  console.log('Building');
  build('example-authorization-server');
}
await import(new URL('../apps/example-authorization-server/dist/main.js', import.meta.url).href);
