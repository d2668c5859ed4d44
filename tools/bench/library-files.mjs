// Writes a reproducible library of YAML declarations.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = ['Parsers', 'Correlators', 'Enrichers', 'Lookups', 'Dashboards'];

/** @returns the number of files, folders and bytes */
export function writeLibrary(folder, { files, folders }) {
  const leaves = folders - KINDS.length;
  const pathOf = (leaf) => join(KINDS[leaf % KINDS.length], `Product_${String(leaf).padStart(3, '0')}`);
  for (let leaf = 0; leaf < leaves; leaf += 1) mkdirSync(join(folder, pathOf(leaf)), { recursive: true });
  let bytes = 0;
  for (let index = 0; index < files; index += 1) {
    const content = declaration(index, 1024 + ((index * 7919) % 7168));
    writeFileSync(
      join(folder, pathOf(index % leaves), `${String(index).padStart(5, '0')}_declaration.yaml`),
      content,
    );
    bytes += content.length;
  }
  return { files, folders, bytes };
}

function declaration(index, size) {
  let text = `---\ndefine:\n  name: "Declaration ${index}"\n  type: parser/cascade\n\nfields:\n`;
  for (let field = 0; text.length < size; field += 1) {
    text += `  - name: source.field_${field}\n    type: str\n    when: !EQ [!ITEM EVENT action, "value-${index}-${field}"]\n`;
  }
  return text;
}
