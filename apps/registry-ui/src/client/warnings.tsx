import type { FieldProblem } from '../api/api-error.js';
import { Notice } from '../elements/notice.js';
import { WithReferences } from '../elements/with-references.js';
import { text } from '../texts/text.js';

/** What is allowed in a Client but rarely wise. */
export function Warnings({ warnings }: { readonly warnings: readonly FieldProblem[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warn" title={text('clients.warnings', { count: warnings.length })}>
      <ul>
        {warnings.map(({ field, code, message }) => (
          <li key={`${field} ${code}`}>
            <WithReferences>{message}</WithReferences>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
