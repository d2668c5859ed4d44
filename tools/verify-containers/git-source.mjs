import { networkInterfaces } from 'node:os';
import { GitRepository, startGitServer } from '@svc/test-servers';
import { load } from './commander-jobs.mjs';

const FILES = {
  'Parsers/Web/access.yaml': 'define: parser\nname: access\n',
  'Parsers/Web/error.yaml': 'define: parser\nname: error\n',
  'README.md': 'From git.\n',
};

/** Loads a library from a git server that requires a deploy token, then the mounted folder again. */
export async function loadFromGit(stack, report) {
  const repository = await GitRepository.create();
  const commit = await repository.commit(FILES);
  const { host, reachedBy } = await addressesOfThisMachine(stack);
  const server = await startGitServer({
    root: repository.root,
    user: 'collector',
    token: 'deploy-token',
    host,
  });
  try {
    const port = new URL(server.url).port;
    const source = `git+http://collector:deploy-token@${reachedBy}:${port}/${repository.name}.git`;
    const loaded = await load(stack, source, '--take-over');
    report.check(
      'svccmd library load loads a library from a Git server',
      loaded.revision.includes(commit) && loaded.created > 0 && loaded.deleted > 0,
      loaded,
    );
  } finally {
    await server.stop();
    await repository.remove();
  }
  const back = await load(stack, undefined, '--take-over');
  report.check('the mounted folder replaces it again', back.created > 0 && back.deleted > 0, back);
}

/** An address reachable only from containers and this machine, and its name in containers. */
async function addressesOfThisMachine(stack) {
  const container = await stack.containerOf('svc-commander');
  const gateway = await stack.inspect(container, '{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}');
  const own = Object.values(networkInterfaces()).flat();
  if (own.some((network) => network?.address === gateway)) return { host: gateway, reachedBy: gateway };
  // If the engine runs in a virtual machine (Docker Desktop), that name resolves to this machine's loopback.
  return { host: '127.0.0.1', reachedBy: 'host.docker.internal' };
}
