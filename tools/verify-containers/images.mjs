/** Both images, by the app they are built from. */
const IMAGES = [
  { name: 'svc-registry', dockerfile: 'docker/registry-api.Dockerfile', limitMb: 70 },
  { name: 'svc-commander', dockerfile: 'docker/commander-api.Dockerfile', limitMb: 45 },
];

const BASE = 'docker.io/library/node:24-bookworm-slim';

/** A separate tag, so that no other images are overwritten. */
export const TAG = 'verified';

/** Builds both images twice, the second time from the cache, and measures them. */
export async function buildImages(engine, root, report) {
  for (const { name, dockerfile, limitMb } of IMAGES) {
    const image = `${name}:${TAG}`;
    report.figure(`${name} built in`, `${await build(engine, root, image, dockerfile)} s`);
    report.figure(`${name} built again in`, `${await build(engine, root, image, dockerfile)} s`);
    const added = (await sizeOf(engine, image)) - (await sizeOf(engine, BASE));
    report.figure(`${name} adds to ${BASE}`, `${Math.round(added / 1e6)} MB`);
    report.check(`${name} adds less than ${limitMb} MB`, added < limitMb * 1e6, added);
    await checkLabels(engine, image, report);
  }
}

async function build(engine, root, image, dockerfile) {
  const started = performance.now();
  // Podman's default image format does not support health checks.
  const format = engine.name === 'podman' ? ['--format', 'docker', '--layers'] : [];
  const args = ['VERSION=1.2.3', 'REVISION=0123abc', 'SOURCE=https://git.example.com/svc'];
  const given = args.flatMap((arg) => ['--build-arg', arg]);
  const words = ['build', ...format, ...given, '--file', `${root}${dockerfile}`, '--tag', image, root];
  // Docker before 23 has BuildKit, but does not use it unless asked.
  await engine.command([engine.name, ...words], { env: { ...process.env, DOCKER_BUILDKIT: '1' } });
  return ((performance.now() - started) / 1000).toFixed(1);
}

async function sizeOf(engine, image) {
  return Number(await engine.run('image', 'inspect', '--format', '{{.Size}}', image));
}

async function checkLabels(engine, image, report) {
  const labels = JSON.parse(
    await engine.run('image', 'inspect', '--format', '{{json .Config.Labels}}', image),
  );
  const of = (name) => labels[`org.opencontainers.image.${name}`];
  report.check(
    `${image} has labels for title, description, licence, version, revision and source`,
    of('title') &&
      of('description') &&
      of('licenses') === 'MIT' &&
      of('version') === '1.2.3' &&
      of('revision') === '0123abc' &&
      of('source') === 'https://git.example.com/svc',
    labels,
  );
}
