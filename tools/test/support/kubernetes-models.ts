import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from './services.js';

const run = promisify(execFile);

/**
 * The schemas that Kubernetes, the Gateway API and the Prometheus operator publish, generated from their OpenAPI documents. Fetched
 * when first needed: with what they depend on, they are 33 MB, and `npm ci` warns about them on Node 20, where they work.
 */
const PACKAGES = ['@kubernetes-models/gateway-api@2.0.0', '@kubernetes-models/prometheus-operator@6.0.0'];

const FOLDER = join(
  ROOT,
  'node_modules/.cache',
  `kubernetes-models-${PACKAGES.map((name) => name.split('@')[2]).join('-')}`,
);

/** The properties common to all resources. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Which package has the resources of an API group; `kubernetes-models` those of Kubernetes itself. */
const GROUPS: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** @returns the path of a kind's model, without extension, in the fetched packages */
export function modelPath({ apiVersion, kind }: Resource): string {
  const group = GROUPS[apiVersion.split('/')[0]!] ?? 'kubernetes-models';
  return join(FOLDER, 'node_modules', group, apiVersion, kind);
}

/** True for kinds that Kubernetes does not have itself. */
export const isExtension = ({ apiVersion }: Resource): boolean => apiVersion.split('/')[0]! in GROUPS;

export async function fetchKubernetesModels(): Promise<void> {
  if (existsSync(FOLDER)) return;
  const unfinished = `${FOLDER}-${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const options = [
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--prefix',
    unfinished,
  ];
  await run('npm', ['install', ...options, ...PACKAGES]);
  await rename(unfinished, FOLDER).catch(async () => rm(unfinished, { recursive: true }));
}

/** @returns what is wrong by the published JSON schema; undefined if nothing is */
export async function schemaViolation(resource: Resource): Promise<string | undefined> {
  const path = `${modelPath(resource)}.js`;
  const models = (await import(pathToFileURL(path).href)) as Record<
    string,
    new (data: Resource) => { validate(): void }
  >;
  try {
    new models[resource.kind]!(resource).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
