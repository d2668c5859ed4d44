import { Verdict } from '../elements/verdict.js';
import { lookOf } from './change-kinds.js';

/** What kind of change it was. */
export function ChangeBadge({ kind }: { readonly kind: string }) {
  const { label, icon, verdict } = lookOf(kind);
  return (
    <Verdict kind={verdict} icon={icon}>
      {label}
    </Verdict>
  );
}
