import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** As far as all resources are alike. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Where the types of Kubernetes' API are that its OpenAPI document gives. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
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

/** What is read once for all resources: the types, and the compiler's own. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Judges a resource as the API server does with strict field validation: unknown fields, values of other types and
 * missing fields are faults.
 *
 * @throws {Error} for a kind of an API group that {@link MODULES} lacks
 */
export function faultsOf(resource: Resource): string[] {
  const module = MODULES[resource.apiVersion];
  if (module === undefined) throw new Error(`no types are known of ${resource.apiVersion}`);
  const text = `import type { ${resource.kind} } from 'kubernetes-types/${module}';
    export const resource: ${resource.kind} = ${JSON.stringify(resource)};`;
  const program = ts.createProgram([FILE], OPTIONS, hostWith(text));
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
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
