import { existsSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly container?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: { readonly include: readonly { name: string; dockerfile: string }[] };
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<'test' | 'packages' | 'base' | 'images', Job>>;
}

const text = readPage('.github/workflows/release.yml');
const { permissions, jobs } = parse(text) as Workflow;
const stepOf = (job: Job, name: string) =>
  job.steps.find(({ uses, run }) => (uses ?? run ?? '').startsWith(name));
const ON_TAGS = "startsWith(github.ref, 'refs/tags/v')";

const WORKFLOWS = readdirSync(`${ROOT}.github/workflows`).map((name) => `.github/workflows/${name}`);

test.each(WORKFLOWS)('%s runs actions by their digest, with the version beside it', (path) => {
  const used = [...readPage(path).matchAll(/uses: *(.*)/g)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((action = '') => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

test.each(WORKFLOWS)(
  'in %s, jobs in containers let Git read the checkout, which belongs to another user',
  (path) => {
    const inContainers = Object.values((parse(readPage(path)) as Workflow).jobs).filter(
      (job) => job.container,
    );
    for (const job of inContainers)
      expect(stepOf(job, 'git config --global --add safe.directory')).toBeDefined();
  },
);

test('nothing is published before .ci/run has passed', () => {
  expect(stepOf(jobs.test, '.ci/run')).toBeDefined();
  expect([jobs.packages.needs, jobs.images.needs].flat()).toEqual(['test', 'test', 'base']);
});

test('only a tag publishes, pushes and signs, and it must name the version', () => {
  const publish = jobs.packages.steps.filter(({ run = '' }) => /publish\.mjs(?!.*--dry-run)/.test(run));
  expect(publish.map((step) => [step.if, step.env])).toEqual([[ON_TAGS, { NPM_CONFIG_PROVENANCE: 'true' }]]);
  expect(stepOf(jobs.images, 'docker/build-push-action')?.with?.['push']).toBe(`\${{ ${ON_TAGS} }}`);
  expect(stepOf(jobs.images, 'cosign sign')?.if).toBe(ON_TAGS);
  for (const job of [jobs.packages, jobs.images])
    expect(
      job.steps.some(({ run = '' }) => run.includes('"v$(node -p') && run.includes('$GITHUB_REF_NAME')),
    ).toBe(true);
});

test('jobs have the permissions they need, and no more; there is no long-lived secret', () => {
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.packages.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(jobs.images.permissions).toEqual({ contents: 'read', packages: 'write', 'id-token': 'write' });
  expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.GITHUB_TOKEN']);
});

test('every image is built for both architectures on one base, with SBOM and provenance, and signed by digest', () => {
  expect(stepOf(jobs.images, 'docker/build-push-action')?.with).toMatchObject({
    platforms: 'linux/amd64,linux/arm64',
    sbom: true,
    provenance: 'mode=max',
  });
  expect(stepOf(jobs.images, 'cosign sign')?.run).toContain('@${{ steps.build.outputs.digest }}');
  const images = jobs.images.strategy?.matrix.include ?? [];
  const manifests = readPage('docker/kubernetes/kustomization.yaml');
  for (const { name, dockerfile } of images) {
    expect([name, existsSync(ROOT + dockerfile), manifests.includes(`name: ${name}\n`)]).toEqual([
      name,
      true,
      true,
    ]);
    const bases = [...readPage(dockerfile).matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(
      ([, base]) => base,
    );
    expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}']));
  }
  expect(images).toHaveLength(2);
  expect(stepOf(jobs.images, 'docker/build-push-action')?.with?.['build-args']).toContain(
    'NODE_IMAGE=${{ needs.base.outputs.image }}',
  );
});

test('the base image that the workflow pins is the one that the images are built on otherwise', () => {
  const [, base] = /^ARG NODE_IMAGE=(\S+)/m.exec(readPage('docker/registry-api.Dockerfile')) ?? [];
  expect(base).toBeDefined();
  expect(jobs.base.steps.some(({ run = '' }) => run.includes(`inspect ${base}`))).toBe(true);
});
