import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { PodSpec, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { violationsOf } from './kubernetes-violations.js';
import { fetchKubernetesModels, type Resource, schemaViolation } from './support/kubernetes-models.js';

/** The commander's YAML parser. */
const { parse, parseAllDocuments } = createRequire(
  new URL('../../apps/commander-api/package.json', import.meta.url),
)('yaml') as {
  parse(text: string): unknown;
  parseAllDocuments(text: string): { toJS(): unknown }[];
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docker/kubernetes');
const read = (path: string) => readFileSync(path, 'utf8');

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
);
const manifests = files.filter((name) => name !== 'kustomization.yaml').sort();
const resources = manifests.flatMap((name) =>
  parseAllDocuments(read(join(folder, name))).map((document) => document.toJS() as Resource),
);
const named = resources.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource] as const);

/** All resources of a kind. */
function ofKind<T>(...kinds: string[]): T[] {
  return resources.filter(({ kind }) => kinds.includes(kind)) as unknown as T[];
}

const workloads = ofKind<Deployment | StatefulSet>('Deployment', 'StatefulSet');
const podOf = (workload: Deployment | StatefulSet) => workload.spec?.template.spec as PodSpec;

const kustomization = parse(read(join(folder, 'kustomization.yaml'))) as {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { name: string; envs?: string[]; files?: string[] }[];
};

/** The files that ConfigMaps are generated from, by their name. */
const settings = new Map(
  kustomization.configMapGenerator.map(({ name, envs = [], files: texts = [] }) => [
    name,
    [...envs, ...texts].map((file) => read(join(folder, file))).join('\n'),
  ]),
);

beforeAll(fetchKubernetesModels, 120_000);

test('the kustomization has every manifest, and no other', () => {
  const { resources: listed } = kustomization;
  expect([...listed].sort()).toEqual(manifests);
});

test.each(named)(
  '%s meets the published schema: it has fields that Kubernetes knows, of their types, and all that are needed',
  async (_name, resource) => {
    expect([await schemaViolation(resource), violationsOf(resource)]).toEqual([undefined, []]);
  },
);

test.each([
  ['a field that there is not', 'readOnlyRootFilesystem', 'readOnlyFilesystem'],
  ['a number in place of a name', '"mountPath":"/data"', '"mountPath":1'],
  ['a required field that is missing', '"selector"', '"selectors"'],
])('%s would be found', (_case, text, wrong) => {
  const deployment = JSON.stringify(ofKind('Deployment')[0]);
  expect(deployment).toContain(text);
  expect(violationsOf(JSON.parse(deployment.replace(text, wrong)) as Resource)).not.toEqual([]);
});

test.each(workloads.map((workload) => [workload.metadata?.name, podOf(workload)] as const))(
  'the pod of %s passes the restricted Pod Security Standard, with a root file system that is not written',
  (_name, pod) => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  },
);

test.each(workloads.map((workload) => [workload.metadata?.name, podOf(workload)] as const))(
  'the pod of %s has longer to end than preStop and the service take together',
  (_name, pod) => {
    const source = read(join(root, 'libs/service-kit/src/runtime/run-until-signal.ts'));
    const deadlineMs = /SHUTDOWN_DEADLINE_MS = ([\d_]+)/.exec(source)?.[1]?.replace('_', '');
    const preStop = pod.containers[0]?.lifecycle?.preStop?.exec?.command;
    expect(preStop?.[0]).toBe('sleep');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(preStop?.[1]) + Number(deadlineMs) / 1000,
    );
  },
);

test('a registry that waits for a migration, or migrates, is not restarted for a quarter of an hour', () => {
  const [registry] = ofKind<Deployment>('Deployment').map(podOf);
  const { periodSeconds = 0, failureThreshold = 0 } = registry?.containers[0]?.startupProbe ?? {};
  expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(15 * 60);
});

test('services, disruption budgets and network policies select existing pods', () => {
  const selectors = [
    ...ofKind<Service>('Service').map(({ spec }) => spec?.selector),
    ...ofKind<PodDisruptionBudget>('PodDisruptionBudget').map(({ spec }) => spec?.selector?.matchLabels),
    ...ofKind<NetworkPolicy>('NetworkPolicy').map(({ spec }) => spec?.podSelector.matchLabels ?? {}),
    ...workloads.map(({ spec }) => spec?.selector.matchLabels),
  ];
  expect(selectors.length).toBeGreaterThan(6);
  const pods = workloads.map(({ spec }) => spec?.template.metadata?.labels);
  for (const selector of selectors)
    expect(pods).toContainEqual(expect.objectContaining(selector ?? { none: '' }));
});

test('everything pods use from ConfigMaps exists', () => {
  const taken = workloads
    .map(podOf)
    .flatMap((pod) => [
      ...(pod.volumes ?? []).flatMap(({ configMap }) => configMap?.name ?? []),
      ...pod.containers.flatMap(({ envFrom = [] }) =>
        envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
      ),
    ]);
  expect([...taken].sort()).toEqual([...settings.keys()].sort());
});

test('the guide creates the Secrets with every file that is read from them', () => {
  const guide = read(join(root, 'docs/containers.md'));
  const made = new Map(
    [...guide.matchAll(/create secret generic (\S+)((?:[^`\n]*\\\n)*[^`\n]*)/g)].map(([, name, options]) => [
      name,
      [...(options ?? '').matchAll(/--from-(?:file|literal)=([\w-]+)=/g)].map(([, key]) => key),
    ]),
  );
  const secrets = workloads
    .map(podOf)
    .flatMap((pod) => (pod.volumes ?? []).flatMap((v) => v.secret?.secretName ?? []));
  expect([...made.keys()].sort()).toEqual([...secrets].sort());
  const text = JSON.stringify([resources, ...settings.values()]);
  const readKeys = [...text.matchAll(/\/run\/secrets\/svc\/([\w-]+)/g)].map(([, key]) => key);
  expect(readKeys.length).toBeGreaterThan(4);
  expect([...made.values()].flat()).toEqual(expect.arrayContaining([...new Set(readKeys)]));
});

test("the registry's ConfigMap sets only known variables", () => {
  const known = read(join(root, 'docs/registry.md'));
  const names = [...(settings.get('svc-registry') ?? '').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  const variables = names.filter((name) => name !== 'TMPDIR');
  expect(variables.length).toBeGreaterThan(3);
  for (const name of variables) expect(known).toContain(`| \`${name.replace(/_FILE$/, '')}\` `);
});
