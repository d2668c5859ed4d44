import type { Violation } from '../api/api-error.js';
import { Notice } from './notice.js';
import { WithReferences } from './external-link.js';
import { text } from '../texts/text.js';

/** Up to this many of a kind are listed individually. */
const MAX_OF_A_KIND = 3;

/** Warnings of a client, grouped by kind; long groups are collapsed. */
export function Warnings({ warnings }: { readonly warnings: readonly Violation[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warn" title={text('clients.warnings', { count: warnings.length })}>
      <ul>
        {[...new Set(warnings.map(({ code }) => code))].map((kind) => (
          <OfAKind key={kind} warnings={warnings.filter(({ code }) => code === kind)} />
        ))}
      </ul>
    </Notice>
  );
}

function OfAKind({ warnings }: { readonly warnings: readonly Violation[] }) {
  const shown = warnings.length > MAX_OF_A_KIND ? 1 : warnings.length;
  const others = warnings.slice(shown);
  return (
    <>
      <Messages of={warnings.slice(0, shown)} />
      {others.length > 0 && (
        <li>
          <details>
            <summary>{text('warnings.alike', { count: others.length })}</summary>
            <ul>
              <Messages of={others} />
            </ul>
          </details>
        </li>
      )}
    </>
  );
}

function Messages({ of: warnings }: { readonly of: readonly Violation[] }) {
  return warnings.map(({ field, code, message }) => (
    <li key={`${field} ${code}`}>
      <WithReferences>{message}</WithReferences>
    </li>
  ));
}
