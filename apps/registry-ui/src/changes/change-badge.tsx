import { StatusBadge } from '../elements/status-badge.js';
import { lookOf } from './change-kinds.js';

export function ChangeBadge({ kind }: { readonly kind: string }) {
  const { label, icon, verdict } = lookOf(kind);
  return (
    <StatusBadge kind={verdict} icon={icon}>
      {label}
    </StatusBadge>
  );
}
