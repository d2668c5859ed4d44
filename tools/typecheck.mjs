// Type-checks one project's sources and tests; `npm run typecheck` checks all projects at once.
//   node tools/typecheck.mjs libs/service-kit
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}${process.argv[2]}/`;

const config = /** @type {ts.ParsedCommandLine} */ (
  ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.spec.json`,
    { incremental: false, tsBuildInfoFile: undefined },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  )
);
const files = config.fileNames.filter((file) => file.startsWith(folder));
const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(files, config.options));
if (diagnostics.length > 0) fail(...diagnostics);

function fail(...diagnostics) {
  const host = { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  console.error(ts.formatDiagnostics(diagnostics, { ...host, getCurrentDirectory: () => root }));
  process.exit(1);
}
