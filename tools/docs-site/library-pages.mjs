import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { ROOT } from '../packages/common-manifest.mjs';
import { LIBRARIES } from '../packages/published.mjs';

/**
 * For each published library, its README and the declarations of all that it exports, with their comments.
 *
 * @returns {Map<string, string>} pages by library
 */
export function libraryPages() {
  return new Map(
    LIBRARIES.map((name) => [
      name,
      `${readFileSync(`${ROOT}libs/${name}/README.md`, 'utf8')}\n${reference(name)}`,
    ]),
  );
}

function reference(name) {
  const { exports } = JSON.parse(readFileSync(`${ROOT}libs/${name}/package.json`, 'utf8'));
  const entries = Object.entries(exports).map(([path, { types }]) => [path, `${ROOT}libs/${name}/${types}`]);
  const options = {
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
  };
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    options,
  );
  const checker = program.getTypeChecker();
  return entries
    .map(([path, file]) => {
      const module = program.getSourceFile(file);
      const symbol = module && checker.getSymbolAtLocation(module);
      if (!symbol) throw new Error(`${file} exports nothing; build ${name} first`);
      const exported = checker.getExportsOfModule(symbol);
      const title = path === '.' ? 'Reference' : `Reference: \`${path.slice(1)}\``;
      return [`## ${title}`, ...exported.map((symbol) => section(checker, symbol))].join('\n\n');
    })
    .join('\n\n');
}

function section(checker, symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarations = (target.declarations ?? []).map(declarationText);
  return `### \`${symbol.name}\`\n\n\`\`\`ts\n${declarations.join('\n')}\n\`\`\``;
}

/** With its comment, and without private members. */
function declarationText(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const text = node.getFullText().trim();
  return text.replaceAll(/^ *(private|#).*;\n/gm, '').replaceAll(/^export (declare )?/gm, '');
}
