import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { violationsOf } from './kubernetes-violations.js';
import { readPage } from './support/documented-tables.js';
import { fetchKubernetesModels, type Resource, schemaViolation } from './support/kubernetes-models.js';
import { ROOT } from './support/services.js';

const FOLDER = 'deploy/kubernetes';

/** CloudNativePG publishes its schema as part of its operator only, not on npm. */
const WITHOUT_SCHEMA = ['postgresql.cnpg.io/v1'];

beforeAll(fetchKubernetesModels, 120_000);

const resourcesIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Resource);
const hasSchema = ({ apiVersion }: Resource) => !WITHOUT_SCHEMA.includes(apiVersion);

const files = readdirSync(ROOT + FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
);
const manifests = files.filter((name) => !name.endsWith('kustomization.yaml'));
const written = manifests.flatMap((name) =>
  resourcesIn(readPage(`${FOLDER}/${name}`)).map((resource) => [name, resource] as const),
);

test.each(written.filter(([, resource]) => hasSchema(resource)))(
  '%s meets the published schema, and has only fields that are known',
  async (_name, resource) => {
    expect([await schemaViolation(resource), violationsOf(resource)]).toEqual([undefined, []]);
  },
);

test.each([
  ['a field that is not known', 'HTTPRoute', '"hostnames"', '"hosts"'],
  ['a value that is not allowed', 'Job', '"restartPolicy":"Never"', '"restartPolicy":"Sometimes"'],
  ['a value of another type', 'PodMonitor', '"podMetricsEndpoints":[', '"podMetricsEndpoints":"x","y":['],
  ['a required field that is missing', 'HorizontalPodAutoscaler', '"maxReplicas"', '"most"'],
])('%s would be found', async (_case, wanted, right, wrong) => {
  const text = JSON.stringify(written.map(([, resource]) => resource).find(({ kind }) => kind === wanted));
  expect(text).toContain(right);
  const resource = JSON.parse(text.replace(right, wrong)) as Resource;
  expect([await schemaViolation(resource), violationsOf(resource)]).not.toEqual([undefined, []]);
});

test('every manifest is in the kustomization beside it', () => {
  for (const name of manifests) {
    const [, folder, file = ''] = /^(.*)\/([^/]+)$/.exec(name) ?? [];
    const { resources } = parse(readPage(`${FOLDER}/${folder}/kustomization.yaml`)) as {
      resources: string[];
    };
    expect([name, resources.includes(file)]).toEqual([name, true]);
  }
});

test('the selector in the guide of the migration applies everything that its pod needs', () => {
  const folder = 'components/migration-job/';
  const guide = readPage(`${FOLDER}/${folder}kustomization.yaml`);
  const [, key = '', value = ''] = /--selector ([^=\s]+)=(\S+)/.exec(guide) ?? [];
  const own = written.filter(([name]) => name.startsWith(folder));
  expect(own.map(([, { kind }]) => kind).sort()).toEqual(['Job', 'NetworkPolicy']);
  for (const [name, { metadata }] of own)
    expect([name, metadata.labels]).toEqual([name, expect.objectContaining({ [key]: value })]);
});

test('ingress-nginx passes on bodies of any size, as they arrive: the registry has limits of its own', () => {
  const ingress = written.map(([, resource]) => resource).find(({ kind }) => kind === 'Ingress');
  expect(ingress?.metadata.annotations).toEqual({
    'nginx.ingress.kubernetes.io/proxy-body-size': '0',
    'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
  });
});

const components = readdirSync(`${ROOT}${FOLDER}/components`);

/** kubectl from 1.27 on renders components; Debian's does not. */
const canRender = /v5\./.test(
  spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' }).stdout ?? '',
);
const rendering = canRender ? test : test.skip;

const render = (folder: string) =>
  resourcesIn(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' }));

/** Renders the base with components. */
function withComponents(...names: readonly string[]): Resource[] {
  mkdirSync(`${ROOT}.nx`, { recursive: true });
  const folder = mkdtempSync(`${ROOT}.nx/kustomize-`);
  try {
    const to = (path: string) => relative(folder, ROOT + path);
    const paths = names.map((name) => to(`${FOLDER}/components/${name}`));
    const kustomization = { namespace: 'svc', resources: [to('docker/kubernetes')], components: paths };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const find = (resources: readonly Resource[], kind: string, name: string) =>
  resources.find((each) => each.kind === kind && each.metadata.name === name) as unknown as {
    readonly spec: Readonly<Record<string, unknown>>;
  };

rendering('the base renders with each component, and with all of them, to valid resources', async () => {
  expect(components.length).toBeGreaterThan(5);
  for (const names of [...components.map((name) => [name]), components]) {
    for (const resource of withComponents(...names))
      expect([resource.kind, await schemaViolation(resource)]).toEqual([resource.kind, undefined]);
  }
});

rendering('the example renders to valid resources', async () => {
  const resources = render(`${ROOT}${FOLDER}/examples/cloudnative-pg`);
  for (const resource of resources.filter(hasSchema))
    expect([resource.kind, await schemaViolation(resource)]).toEqual([resource.kind, undefined]);
  expect(JSON.stringify(find(resources, 'Deployment', 'svc-registry'))).toContain(
    '"name":"svc-postgres-app"',
  );
});

rendering('an autoscaled Deployment leaves its number of replicas to the autoscaler', () => {
  expect(find(withComponents(), 'Deployment', 'svc-registry').spec['replicas']).toBe(2);
  expect(find(withComponents('autoscaling'), 'Deployment', 'svc-registry').spec).not.toHaveProperty(
    'replicas',
  );
});

rendering('with a pooler, the registry reaches no PostgreSQL but through it', () => {
  const { spec } = find(withComponents('pooler'), 'NetworkPolicy', 'svc-registry');
  expect(JSON.stringify(spec)).not.toContain('5432');
  expect(spec['egress']).toContainEqual({
    to: [{ podSelector: { matchLabels: { 'svc-role': 'pooler' } } }],
    ports: [{ protocol: 'TCP', port: 6432 }],
  });
  // What is not PostgreSQL stays: DNS, https, traces.
  for (const port of [53, 443, 4318]) expect(JSON.stringify(spec)).toContain(`"port":${port}`);
});

rendering('a changed setting gives its ConfigMap another name, which the pods use', () => {
  const resources = withComponents();
  const name = resources.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('svc-registry-'),
  )?.metadata.name;
  expect(name).toMatch(/^svc-registry-[a-z0-9]{10}$/);
  expect(JSON.stringify(find(resources, 'Deployment', 'svc-registry'))).toContain(
    `"configMapRef":{"name":"${name}"}`,
  );
});

rendering('the migration runs the image of the registry', () => {
  const resources = withComponents('migration-job');
  const imageOf = (kind: string, name: string) =>
    /"image":"([^"]+)"/.exec(JSON.stringify(find(resources, kind, name)))?.[1];
  expect(imageOf('Job', 'svc-registry-migrate')).toBe(imageOf('Deployment', 'svc-registry'));
});
