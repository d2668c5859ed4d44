import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isExtension, modelPath, type Resource } from './support/kubernetes-models.js';

/** Modules with the types of Kubernetes' API groups. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
};

const FILE = join(dirname(fileURLToPath(import.meta.url)), 'kubernetes-resource.ts');

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Cached source files: the API types and the compiler's libraries. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Validates a resource like the API server with strict field validation: unknown fields, values of wrong types and
 * missing fields are errors.
 *
 * @throws {Error} for an API group without types; those of extensions must have been fetched
 */
export function violationsOf(resource: Resource): string[] {
  const text = `import type { ${importOf(resource)};
    export const resource: ${resource.kind} = ${JSON.stringify(resource)};`;
  const program = ts.createProgram([FILE], OPTIONS, hostWith(text));
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** @throws {Error} for an API group without types */
function importOf(resource: Resource): string {
  const { kind, apiVersion } = resource;
  if (isExtension(resource)) return `I${kind} as ${kind} } from '${modelPath(resource)}'`;
  const module = MODULES[apiVersion];
  if (module === undefined) throw new Error(`no types are known of ${apiVersion}`);
  return `${kind} } from 'kubernetes-types/${module}'`;
}

function hostWith(text: string): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  return {
    ...host,
    fileExists: (name) => name === FILE || host.fileExists(name),
    getSourceFile: (name, version) => {
      if (name === FILE) return ts.createSourceFile(name, text, version);
      if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, version));
      return parsed.get(name);
    },
  };
}
